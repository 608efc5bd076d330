"""Judge conversations that took place already, such as the logs of your service.

What it shows: `judge_transcript` reads messages as chat services write them and judges every reply (is it toxic, does
it fit, does the bot stutter or ask the same thing again?); `judge` compares answers with the right ones.

Run it: python examples/08_judge_transcripts.py
"""

import json

import chattest

LOG = """\
[{"role": "user", "content": "Hello!"}, {"role": "assistant", "content": "Hello! How can I help you?"},
 {"role": "user", "content": "I would like to change my booking."},
 {"role": "assistant", "content": "Of course. What is your booking number?"},
 {"role": "user", "content": "It is 4711."}, {"role": "assistant", "content": "What is your booking number?"},
 {"role": "user", "content": "4711! I said so already."},
 {"role": "assistant", "content": "Then open your eyes, you idiot."}]
"""
# question, the bot's reply, the right answer: a text, a list of texts, or True or False for yes and no
ANSWERS: list[tuple[str, str, str | bool]] = [
    ("When does the pool open?", "Our pool welcomes you from seven in the morning.", "7 am"),
    ("May I bring my dog?", "I am afraid not.", False),
    ("What is the wifi password?", "Please ask at the reception.", "sunshine"),
]

if __name__ == "__main__":
    report = chattest.judge_transcript(json.loads(LOG))
    print(report)
    for row in report.failures().itertuples():
        print(f'  {row.check} in round {row.round}: "{row.reply}" ({row.reason})')

    print("\nAnswers:")
    for question, reply, right in ANSWERS:
        scorer = "closed_answer" if isinstance(right, bool) else "open_answer"
        (result,) = chattest.judge([(question, reply)], expected=[right], scorers=[scorer]).results
        print(f'  {result.verdict.value}  "{question}" - "{reply}" ({result.reason})')
