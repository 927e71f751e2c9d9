# The least app-server that a run needs, in the place of the Codex whose version is given: it answers every request, and
# ends each turn as soon as it was begun.
while IFS= read -r line; do
  case $line in
  *'"id":'*) ;;
  *) continue ;;
  esac
  id=${line#*\"id\":}
  id=${id%%[,\}]*}
  case $line in
  *'"method":"thread/start"'*) echo "{\"id\":$id,\"result\":{\"thread\":{\"id\":\"thread\"}}}" ;;
  *'"method":"turn/start"'*)
    echo "{\"id\":$id,\"result\":{\"turn\":{\"id\":\"turn\"}}}"
    echo '{"method":"turn/completed","params":{"threadId":"thread","turn":{"id":"turn","items":[],"status":"completed","error":null}}}'
    ;;
  *) echo "{\"id\":$id,\"result\":{\"userAgent\":\"no-op/$1\"}}" ;;
  esac
done
