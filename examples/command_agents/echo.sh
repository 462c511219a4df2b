#!/bin/sh
# A reply that quotes the user needs a JSON tool; sed is enough to hand the text on as it came.
while read -r line; do
    case $line in
        '{"type":"user",'*)
            text=$(printf '%s' "$line" | sed 's/^{"type":"user","text":"\(.*\)","turn":[0-9]*}$/\1/')
            printf '{"type":"reply","text":"You said: %s"}\n' "$text" ;;
        '{"type":"close"'*) break ;;
    esac
done
