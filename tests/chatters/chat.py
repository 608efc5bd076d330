"""Run by test_user.py in a terminal or a pipe: holds a conversation between the person (chatter 1) and an echo."""

import sys

from chattest.chatter.base import Command, EndOfConversation
from chattest.chatter.loader import find_chatter
from chattest.records.conversation import Speaker, Turn
from tests.support.paths import CHATTERS

user_class = find_chatter("user", CHATTERS)
person = user_class()
person.shared = user_class.load(None)
said: list[str] = sys.argv[1:]
commands = []
try:
    while True:
        try:
            text = person.get_response(list(said))
        except Command as command:
            commands.append(command.name)
            if command.name != "probe":
                person.told(f"<{command.name} served>")
                continue
            text = "What is the name of my cat?"
            person.sent_instead(text, list(said))
        assert isinstance(text, str)
        said += [text, f"Echo of {text!r}."]
        person.heard(Turn(0, Speaker.SUBJECT, said[-1], 1.25))
except EndOfConversation as end:
    print(f"END {end}; {said}; {commands}")
