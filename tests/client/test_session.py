"""What a client remembers of a race: answers to actions, refusals, coming back. No sockets, no clock."""

import msgspec

from cellrace_client.session import UNDER_WAY_MOST, Do, Heard, RaceSession, Refusal
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind

CH = 3


def entered(n: int = 1, seat: int = 0, ch: int = CH) -> e.Entered:
    return e.Entered(1, ch, "race", seat, n)


def snapshot(k: int, phase: str = "running") -> e.Snapshot:
    return e.Snapshot(CH, k, "race", phase, 0, 0, -1, "p", "classic", False, True, 0, 1, "", "", "", 0, 1, [])


class Played:
    """A session in the middle of a race, facts seen up to 10."""

    def __init__(self, *actions: str | Do) -> None:
        self.session = RaceSession(entered())
        self.session.hear(snapshot(10))
        self.sent: list[object] = []
        for action in actions:
            self.act(action)

    def act(self, action: str | Do) -> int:
        ticket, commands = self.session.act(action)
        self.sent += commands
        return ticket

    def applied(self, k: int, n: int) -> Heard:
        return self.session.hear(e.Applied(CH, k, 5, n, [1]))

    def refused(self, n: int, code: str, expected: int, retry_after: int = 0) -> Heard:
        return self.session.hear(e.Refused(CH, n, code, "words", expected, retry_after))

    def reconnected(self, entered: e.Entered) -> Heard:
        self.session.channel_lost()
        return self.session.entered_again(entered)


def moves(*numbered: tuple[int, str], ch: int = CH) -> list[c.Move]:
    return [c.Move(ch, n, text) for n, text in numbered]


def test_actions_go_out_at_once_and_in_order() -> None:
    played = Played("2a", Do.UNDO, "2b")
    assert played.sent == [c.Move(CH, 1, "2a"), c.Undo(CH, 2), c.Move(CH, 3, "2b")]


def test_each_acknowledgement_answers_its_action() -> None:
    played = Played("2a", "2b")
    assert played.applied(11, 1) == Heard(applied=(1,))
    assert played.applied(12, 2) == Heard(applied=(2,))


def test_facts_of_others_answer_nothing() -> None:
    played = Played("2a")
    assert played.session.hear(e.Progress(CH, 11, 5, 1, 3, 9)) == Heard()
    assert played.session.hear(e.GaveUp(CH, 12, 5, 1)) == Heard()


def test_a_fact_that_is_not_the_next_is_lost_sight_of() -> None:
    played = Played("2a")
    assert played.applied(12, 1) == Heard(lost=True)
    assert played.session.k == 10


def test_an_acknowledgement_sent_again_is_no_fact() -> None:
    played = Played("2a")
    played.applied(11, 1)
    played.session.hear(e.Progress(CH, 12, 5, 1, 3, 9))
    assert played.applied(11, 1) == Heard(seen=True)
    assert played.session.k == 12


def test_an_acknowledgement_that_comes_only_when_sent_again_answers() -> None:
    played = Played("2a")
    played.session.hear(snapshot(12))
    assert played.applied(11, 1) == Heard(applied=(1,), seen=True)


def test_actions_behind_a_refused_one_fall_with_it_and_later_ones_wait_for_that() -> None:
    played = Played("xx", "2a", "2b")
    assert played.refused(1, "unreadable", 1) == Heard(refused=(Refusal(1, "unreadable", "words", 1),))
    assert played.act("2c") == 4
    assert played.sent == moves((1, "xx"), (2, "2a"), (3, "2b"))
    assert played.refused(2, "out_of_order", 1).send == ()
    last = played.refused(3, "out_of_order", 1)
    assert last.refused == (Refusal(3, "out_of_order", "words", 1),)
    assert list(last.send) == moves((1, "2c"))


def test_an_action_after_a_refusal_takes_the_number_expected() -> None:
    played = Played("2a", "xx")
    played.applied(11, 1)
    played.refused(2, "unreadable", 2)
    played.act("2b")
    assert played.sent[-1] == c.Move(CH, 2, "2b")


def test_a_refusal_of_something_without_a_number_has_no_ticket() -> None:
    played = Played("2a")
    assert played.refused(0, "not_host", 0).refused == (Refusal(0, "not_host", "words", 0),)


def test_what_is_put_off_is_sent_again_once_and_in_order() -> None:
    played = Played("2a", "2b")
    assert played.refused(1, "unavailable", 0, 500) == Heard(retry_after=500)
    assert played.refused(2, "unavailable", 0, 500) == Heard()
    assert list(played.session.put_off()) == moves((1, "2a"), (2, "2b"))


def test_an_action_that_overtakes_those_put_off_is_put_off_with_them() -> None:
    """The store was away for the first and back for the second: to the player, both just took longer."""
    played = Played("2a", "2b")
    played.refused(1, "unavailable", 0, 500)
    assert played.refused(2, "out_of_order", 1) == Heard()
    played.act("2c")
    assert played.sent == moves((1, "2a"), (2, "2b"))
    assert list(played.session.put_off()) == moves((1, "2a"), (2, "2b"), (3, "2c"))
    assert [played.applied(10 + n, n).applied for n in (1, 2, 3)] == [(1,), (2,), (3,)]


def test_a_refusal_while_others_are_put_off_is_a_refusal() -> None:
    played = Played("2a", "2b")
    played.refused(1, "unavailable", 0, 500)
    assert played.refused(2, "race_over", 1).refused == (Refusal(2, "race_over", "words", 1),)
    assert list(played.session.put_off()) == moves((1, "2a"))


def test_giving_up_is_answered_by_the_fact_and_answers_nothing_behind_it() -> None:
    played = Played("2a", Do.GIVE_UP, "2b")
    played.applied(11, 1)
    assert played.session.hear(e.GaveUp(CH, 12, 5, 0)) == Heard(applied=(2,))
    assert played.refused(3, "seat_done", 3).refused == (Refusal(3, "seat_done", "words", 3),)


def test_finishing_is_answered_by_its_first_card() -> None:
    played = Played(Do.FINISH)
    assert played.applied(11, 1).applied == (1,)
    assert played.applied(12, 2).applied == ()


def test_resuming_names_the_last_fact_seen() -> None:
    played = Played("2a")
    played.applied(11, 1)
    assert played.session.resume(7) == c.Resume(7, "race", 11)


def test_on_a_new_connection_what_was_applied_unseen_is_answered_and_the_rest_sent_again() -> None:
    played = Played("2a", "2b", "2c")
    heard = played.reconnected(entered(n=3, ch=9))
    assert heard.applied == (1, 2)
    assert list(heard.send) == moves((3, "2c"), ch=9)
    assert played.applied(11, 1) == Heard()
    assert played.applied(12, 2) == Heard()
    assert played.applied(13, 3) == Heard(applied=(3,))


def test_on_a_new_connection_actions_take_the_numbers_the_server_expects() -> None:
    played = Played("2a", "2b")
    heard = played.reconnected(entered(n=1, ch=9))
    assert heard.applied == ()
    assert list(heard.send) == moves((1, "2a"), (2, "2b"), ch=9)


def test_a_connection_lost_amid_a_roll_back_refuses_what_stood_behind() -> None:
    played = Played("xx", "2a")
    played.refused(1, "unreadable", 1)
    played.act("2b")
    heard = played.reconnected(entered(n=1))
    assert [(refusal.ticket, refusal.code) for refusal in heard.refused] == [(2, "out_of_order")]
    assert list(heard.send) == moves((1, "2b"))


def test_a_connection_lost_while_put_off_sends_again_at_once() -> None:
    played = Played("2a")
    played.refused(1, "unavailable", 0, 500)
    played.act("2b")
    heard = played.reconnected(entered(n=1))
    assert list(heard.send) == moves((1, "2a"), (2, "2b"))


def test_a_seat_that_is_gone_refuses_everything() -> None:
    played = Played("2a", "2b")
    heard = played.reconnected(entered(n=0, seat=-1))
    assert [(refusal.ticket, refusal.code) for refusal in heard.refused] == [
        (1, "not_seated"),
        (2, "not_seated"),
    ]
    assert heard.send == ()


def test_a_player_who_leaves_watches() -> None:
    session = RaceSession(entered())
    session.hear(snapshot(3, "lobby"))
    session.hear(e.Left(CH, 4, 5, 1, "p"))
    assert session.seat == 0
    session.hear(e.Joined(CH, 5, 5, 1, "q", "Q", Kind.HUMAN))
    session.hear(e.Left(CH, 6, 5, 0, "q"))
    assert session.seat == -1


def test_a_race_ends_by_its_last_fact_or_in_a_snapshot() -> None:
    played = Played()
    played.session.hear(e.End(CH, 11, 5, "all_done", [], "", ""))
    assert played.session.ended
    played = Played()
    played.session.hear(snapshot(20, "ended"))
    assert played.session.ended


def test_what_follows_a_finish_waits_for_what_becomes_of_it() -> None:
    session = RaceSession(entered(ch=3))
    session.hear(snapshot(5))
    finish, sent = session.act(Do.FINISH)
    assert sent == (c.Finish(3, 1),)
    undo, nothing = session.act(Do.UNDO)
    assert nothing == ()
    assert session.hear(e.Applied(3, 6, 0, 1, [])).applied == (finish,)
    assert session.hear(e.Applied(3, 7, 0, 2, [])) == Heard()
    heard = session.hear(e.Done(3, 8, 0, 0, 10, 0, 0))
    assert heard.send == (c.Undo(3, 3),)
    refused = session.hear(e.Refused(3, 3, "seat_done", "you are done in this race", 3)).refused
    assert [refusal.ticket for refusal in refused] == [undo]


def test_what_follows_a_finish_that_is_refused_is_sent() -> None:
    session = RaceSession(entered(ch=3))
    session.hear(snapshot(5))
    session.act(Do.FINISH)
    session.act("2a")
    heard = session.hear(e.Refused(3, 1, "not_finishable", "not yet", 1))
    assert heard.send == (c.Move(3, 1, "2a"),)


def test_no_more_goes_out_than_the_server_takes() -> None:
    played = Played(*(Do.UNDO if n % 2 else "2a" for n in range(100)))
    assert len(played.sent) == UNDER_WAY_MOST
    heard = played.applied(11, 1)
    assert [command.n for command in heard.send] == [UNDER_WAY_MOST + 1]
    heard = played.refused(2, "slow_down", 0, 40)
    assert heard == Heard(retry_after=40)
    assert [command.n for command in played.session.put_off()] == list(range(2, UNDER_WAY_MOST + 2))


def test_without_a_channel_actions_wait_for_the_next() -> None:
    played = Played("2a")
    played.refused(1, "unavailable", 0, 500)
    played.session.channel_lost()
    played.act("2b")
    assert played.sent == moves((1, "2a"))
    assert played.session.put_off() == ()
    assert list(played.session.entered_again(entered(ch=9)).send) == moves((1, "2a"), (2, "2b"), ch=9)
    assert played.session.put_off() == (), "what was put off then is sent already"


def test_a_race_entered_twice_on_one_connection_sends_nothing_twice() -> None:
    played = Played("2a", "2b")
    assert played.session.entered_again(entered()) == Heard()
    assert played.applied(11, 1).applied == (1,)


def test_a_snapshot_answers_everything_below_its_number() -> None:
    played = Played("2a", "2b", "2c")
    heard = played.session.hear(msgspec.structs.replace(snapshot(20), n=3))
    assert heard == Heard(applied=(1, 2))
    played.act("2d")
    assert played.sent[-1] == c.Move(CH, 4, "2d")


def test_a_snapshot_says_whose_seat_it_is() -> None:
    session = RaceSession(entered())
    session.hear(msgspec.structs.replace(snapshot(20), you=-1))
    assert session.seat == -1


def test_who_has_no_seat_any_more_by_a_snapshot_waits_for_no_answer() -> None:
    played = Played("26", Do.UNDO)
    gone = msgspec.structs.replace(snapshot(12), you=-1)
    assert [(each.ticket, each.code) for each in played.session.hear(gone).refused] == [
        (1, "not_seated"),
        (2, "not_seated"),
    ]
