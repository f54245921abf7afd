SELECT belay_now() AS now
