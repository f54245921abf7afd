# Ends every task process of one agent session when the agent has died, however it died.
#
# $1 is the session id. Lines on stdin: "+ PGID" registers a task's process group, "- PGID" forgets
# it. Only the agent can write to that pipe, so end of file means that the agent is dead.
trap '' HUP INT TERM
session=$1
groups=' '
while read -r act pgid; do
  case $act in
    +) groups="$groups$pgid " ;;
    -) case $groups in
         *" $pgid "*) groups="${groups%% $pgid *} ${groups#* $pgid }" ;;
       esac ;;
  esac
done

for pgid in $groups; do
  end_group "$pgid"
done
end_strays 100 "BELAY_AGENT_SESSION=$session"
