"""Functions that test_callable.py has answer."""

import asyncio
import threading


def last_word(history):
    return history[-1].split()[-1] if history else "Hello"


loops: set[tuple[int, int]] = set()


running: list[int] = [0]


async def slowly(history):
    running.append(running[-1] + 1)
    await asyncio.sleep(0.5)  # so long that twenty begin meanwhile
    running.append(running[-1] - 1)
    loops.add((id(asyncio.get_running_loop()), threading.get_ident()))
    return last_word(history)


def broken(history):
    raise LookupError("no idea")


class Namespace:
    upper = staticmethod(lambda history: history[-1].upper())


something = 3
