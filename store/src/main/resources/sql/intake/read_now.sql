SELECT belay_now()
