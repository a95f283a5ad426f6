"""Executors: every task once, bounded memory, errors after the tasks in hand."""

from __future__ import annotations

import threading
import time

import pytest

from balance.play.executors import local
from balance.play.executors.serial import Serial
from balance.play.executors.threads import WAITING_PER_WORKER, Threads

ALL = [Serial(), Threads(1), Threads(2), Threads(7)]


@pytest.mark.parametrize("executor", ALL)
@pytest.mark.parametrize("count", [0, 1, 5, 200])
def test_every_task_once(executor, count):
    done = []
    executor.run(iter(range(count)), lambda task: task * task, done.append)
    assert sorted(done) == [task * task for task in range(count)]


@pytest.mark.parametrize("executor", ALL)
def test_results_come_in_the_calling_thread(executor):
    threads = set()
    executor.run(range(20), lambda task: task, lambda result: threads.add(threading.current_thread()))
    assert threads == {threading.current_thread()}


def test_a_slow_receiver_holds_the_workers_back():
    begun, most = [], 0

    def receive(result):
        nonlocal most
        time.sleep(0.002)
        most = max(most, len(begun) - len(received))
        received.append(result)

    received = []
    Threads(2).run(range(100), lambda task: begun.append(task), receive)
    assert len(received) == 100
    assert most <= 2 * WAITING_PER_WORKER


@pytest.mark.parametrize("executor", ALL)
def test_an_error_in_a_task_is_raised_and_ends_the_work(executor):
    begun = []

    def work(task):
        begun.append(task)
        if task == 3:
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        executor.run(range(10_000), work, lambda result: None)
    assert len(begun) < 100


@pytest.mark.parametrize("executor", ALL)
def test_an_error_of_the_receiver_is_raised(executor):
    def receive(result):
        raise OSError("full")

    with pytest.raises(OSError, match="full"):
        executor.run(range(1000), lambda task: task, receive)


def test_threads_work_at_the_same_time():
    barrier = threading.Barrier(3, timeout=10)
    Threads(3).run(range(3), lambda task: barrier.wait(), lambda result: None)


def test_one_worker_is_serial():
    assert isinstance(local(1), Serial)
    assert local(3).workers == 3
