"""Histories of many players on two nodes that share a store: anything may happen at any time, and may go wrong.

`make simulate HISTORIES=100000` plays any number of them. One that fails is printed as the steps that lead there, the
fewest that do, and can be played again with the seed printed at the top.
"""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from cellrace_engine import format_move, legal_moves
from cellrace_server.core.dailies import COUNTDOWN_MS
from tests.simulation.cluster import AWAY_MS
from tests.simulation.people import Person
from tests.simulation.tally import THINGS, Tally
from tests.simulation.world import NAMES, NODES, World

SEED = int(os.environ.get("SIMULATION_SEED", "617"))
HISTORIES = int(os.environ.get("SIMULATION_HISTORIES", "1000"))
PARTS = 4
ENOUGH = 1_000
"""In so many histories everything happens in each part that is to be seen in them (`tally`)."""

STEPS = 36
PHASES = [Phase.generate, Phase.shrink] if os.environ.get("SIMULATION_SHRINK") != "no" else [Phase.generate]

names = st.sampled_from(NAMES)
nodes = st.sampled_from(NODES)
MOMENTS = st.sampled_from([0, 1, 5, 20, 20, 100, 100, 400, 1_000, 3_000, 16_000, 61_000])


somebody_can_act = precondition(lambda self: any(self.world.acting()))


class Histories(RuleBasedStateMachine):
    """One history."""

    tally = Tally()

    def __init__(self) -> None:
        super().__init__()
        self.world = self.begin_world()

    def begin_world(self) -> World:
        return World(self.tally)

    @initialize(
        seats=st.integers(1, 4),
        countdown=st.sampled_from([0, 3_000]),
        limit=st.sampled_from([20_000, 600_000, 600_000]),
        open_boards=st.booleans(),
        delay=st.sampled_from([0, 0, 5_000]),
        ranked=st.booleans(),
        play=st.booleans(),
        tabs=st.booleans(),
        here=st.lists(nodes, min_size=len(NAMES), max_size=len(NAMES)),
        stage=st.sampled_from(
            ["alone", "lobby", "deserted", "running", "running", "running", "over", "over"]
        ),
    )
    def begin(
        self,
        seats: int,
        countdown: int,
        limit: int,
        open_boards: bool,
        delay: int,
        ranked: bool,
        play: bool,
        tabs: bool,
        here: list[str],
        stage: str,
    ) -> None:
        """Everybody comes in; there may be a race already, whose host does not `play`."""
        world = self.world
        for name, node in zip(NAMES, here, strict=True):
            world.connect(name, node)
        world.step()
        if stage == "alone":
            return
        host = world.people["Ada"]
        host.create(
            seats=seats,
            countdown_ms=countdown,
            limit_ms=limit,
            open_boards=open_boards,
            delay_ms=delay,
            ranked=ranked,
            play=play and stage != "deserted",
        )
        world.step()
        (race,) = world.truth.races
        for name in NAMES[1 : seats + 1]:
            world.people[name].join(race)
        world.step()
        if stage == "deserted":
            if tabs:
                world.connect("Ada", here[-1])
                world.step()
            world.cut("Ada")
            world.step(AWAY_MS + 2_000)
            world.connect("Ada", here[0])
        if stage in ("running", "over"):
            self.everybody_is_ready()
            world.step(countdown)
        if stage == "over":
            self.everybody_plays_home(at_once=True)
            world.step()

    # Coming and going

    @rule(name=names, node=nodes)
    def connect(self, name: str, node: str) -> None:
        self.world.connect(name, node)

    @rule(name=names)
    def connection_lost(self, name: str) -> None:
        self.world.cut(name)

    @precondition(lambda self: any(self.hosting()))
    @rule(data=st.data(), ms=st.sampled_from([1_000, 61_000]), node=nodes, tabs=st.booleans())
    def a_host_is_gone_for_a_while(self, data: st.DataObject, ms: int, node: str, tabs: bool) -> None:
        """One who has no seat: by all connections, or by the newest, and is there by an older one."""
        host = data.draw(st.sampled_from(list(self.hosting())))
        if tabs:
            self.world.connect(host.name, node)
            self.world.step()
        else:
            self.older_connections_end()
        self.world.cut(host.name)
        self.world.step(ms)
        self.world.connect(host.name, node)

    def hosting(self) -> Iterator[Person]:
        """Who hosts a lobby without a seat, as far as they know."""
        for person in self.world.people.values():
            models = [following.model for following in person.following.values()]
            if any(m and m.phase == "lobby" and m.you < 0 and m.host == person.player for m in models):
                yield person

    @rule()
    def older_connections_end(self) -> None:
        while self.world.older:
            self.world.loop.call(self.world.older.pop().cut)

    @rule(name=names, messages=st.integers(0, 3))
    def becomes_slow(self, name: str, messages: int) -> None:
        """Nothing gets through but a few of the messages on their way."""
        self.world.deliver(self.world.people[name], messages)
        self.world.slow.add(name)

    @precondition(lambda self: self.world.slow)
    @rule()
    def all_are_quick_again(self) -> None:
        self.world.slow.clear()

    # Finding a race

    @rule(
        name=names,
        seats=st.integers(1, 3),
        deal=st.sampled_from(["", "", "FC1-C4-AAAAAKH"]),
        ranked=st.booleans(),
        play=st.sampled_from([True, True, False]),
    )
    def create(self, name: str, seats: int, deal: str, ranked: bool, play: bool) -> None:
        self.world.people[name].create(
            seats=seats, deal=deal, limit_ms=60_000, ranked=ranked and not deal, play=play
        )

    @rule(name=names, go_on=st.booleans(), to_the_end=st.booleans())
    def play_the_daily(self, name: str, go_on: bool, to_the_end: bool) -> None:
        self.world.people[name].play_daily()
        if go_on:
            self.world.step()
            self.world.step(COUNTDOWN_MS)
            if to_the_end:
                self.everybody_plays_home(at_once=True)

    @precondition(lambda self: self.world.memory.runs)
    @rule(name=names, data=st.data())
    def race_against_a_ghost(self, name: str, data: st.DataObject) -> None:
        self.world.people[name].race_against(data.draw(st.sampled_from(sorted(self.world.memory.runs))))

    @precondition(lambda self: self.world.truth.races)
    @rule(name=names, data=st.data())
    def join(self, name: str, data: st.DataObject) -> None:
        self.world.people[name].join(data.draw(st.sampled_from(sorted(self.world.truth.races))))

    @rule(name=names)
    def join_by_deal(self, name: str) -> None:
        self.world.people[name].join("FC1-C4-AAAAAKH")

    @precondition(lambda self: self.world.truth.races)
    @rule(name=names, data=st.data())
    def watch(self, name: str, data: st.DataObject) -> None:
        self.world.people[name].watch(data.draw(st.sampled_from(sorted(self.world.truth.races))))

    @rule(name=names, times=st.integers(1, 3))
    def quick(self, name: str, times: int) -> None:
        for _ in range(times):
            self.world.people[name].quick()

    @rule(name=names)
    def list_races(self, name: str) -> None:
        self.world.people[name].list_races()

    @rule(name=names)
    def follow_the_list(self, name: str) -> None:
        self.world.people[name].follow_the_list()

    @precondition(lambda self: any(self.over()))
    @rule(go_on=st.booleans())
    def everybody_wants_a_rematch(self, go_on: bool) -> None:
        for person, channel in list(self.over()):
            person.rematch(channel)
        if go_on:
            self.world.step()
            self.everybody_is_ready()

    def over(self) -> Iterator[tuple[Person, int]]:
        """Who receives races that are over, and where."""
        for person in self.world.people.values():
            for channel, following in person.following.items():
                if following.model is not None and following.model.phase == "ended":
                    yield person, channel

    # In a race

    @rule()
    def everybody_is_ready(self) -> None:
        for person in self.world.people.values():
            for channel in list(person.following):
                person.ready(channel)

    @rule(name=names, what=st.sampled_from(["ready", "start", "leave", "part", "look"]))
    def say(self, name: str, what: str) -> None:
        person = self.world.people[name]
        for channel in list(person.following):
            getattr(person, what)(channel)

    @somebody_can_act
    @rule(data=st.data(), moves=st.integers(1, 4))
    def make_moves(self, data: st.DataObject, moves: int) -> None:
        """Legal as things stand; what is on its way may change that."""
        person, channel = self.actor(data)
        line = self.world.line(person, channel)
        for _ in range(moves):
            legal = legal_moves(line.position, line.rules)
            if legal:
                move = data.draw(st.sampled_from(legal))
                person.act(channel, format_move(move, line.position, line.rules))
                line = line.play(move)

    @somebody_can_act
    @rule(
        data=st.data(),
        what=st.sampled_from(["undo", "undo", "undo", "restart", "finish", "give up", "11", "zz"]),
    )
    def act(self, data: st.DataObject, what: str) -> None:
        person, channel = self.actor(data)
        person.act(channel, what)

    @somebody_can_act
    @rule(data=st.data(), moves=st.integers(1, 3), undos=st.integers(1, 2))
    def take_moves_back(self, data: st.DataObject, moves: int, undos: int) -> None:
        person, channel = self.actor(data)
        self.world.wander(person, channel, moves)
        for _ in range(undos):
            person.act(channel, "undo")

    @somebody_can_act
    @rule(moves=st.integers(1, 3))
    def everybody_moves_at_once(self, moves: int) -> None:
        """On both nodes, before either hears of the other."""
        for person, channel in list(self.world.acting()):
            self.world.wander(person, channel, moves)
        self.world.deliver_together()

    @somebody_can_act
    @rule(at_once=st.booleans())
    def everybody_plays_home(self, at_once: bool) -> None:
        for person, channel in list(self.world.acting()):
            self.world.play_on(person, channel, 100)
        if at_once:
            self.world.deliver_together()

    @somebody_can_act
    @rule(data=st.data(), n=st.integers(1, 40), what=st.sampled_from(["undo", "2a", "give up"]))
    def act_under_any_number(self, data: st.DataObject, n: int, what: str) -> None:
        person, channel = self.actor(data)
        person.act_as(channel, n, what)

    @somebody_can_act
    @rule(data=st.data(), moves=st.sampled_from([1, 5, 20, 60, 100, 100]))
    def play_the_winning_line(self, data: st.DataObject, moves: int) -> None:
        person, channel = self.actor(data)
        self.world.play_on(person, channel, moves)

    def actor(self, data: st.DataObject) -> tuple[Person, int]:
        """Somebody who can act, and where."""
        return data.draw(st.sampled_from(list(self.world.acting())))

    @rule(name=names)
    def send_it_again(self, name: str) -> None:
        self.world.people[name].repeat()

    # Time, and what goes wrong

    @rule(ms=MOMENTS)
    def time_passes(self, ms: int) -> None:
        self.world.step(ms)

    @rule(calls=st.integers(1, 3), carried_out=st.booleans())
    def calls_fail(self, calls: int, carried_out: bool) -> None:
        self.world.memory.fail(calls, carried_out=carried_out)

    @rule(what=st.sampled_from(["away", "mute", "hold", "late", "reset"]))
    def store_has_a_fault(self, what: str) -> None:
        memory = self.world.memory
        match what:
            case "away":
                memory.away = True
            case "mute":
                memory.mute = True
            case "hold":
                memory.hold()
            case "late":
                memory.hold_answers()
            case _:
                memory.reset_subscriptions()

    @precondition(lambda self: not self.world.memory.well)
    @rule()
    def store_is_well_again(self) -> None:
        self.world.memory.mend()

    @rule()
    def news_between_nodes_waits(self) -> None:
        self.world.memory.hold_news()

    @precondition(lambda self: self.world.memory.news_waits)
    @rule(words=st.integers(1, 4), newest_first=st.booleans())
    def news_comes_late(self, words: int, newest_first: bool) -> None:
        self.world.memory.pass_news(words, newest_first)

    @rule(node=nodes)
    def node_is_killed(self, node: str) -> None:
        self.world.crash(node)

    # What must hold

    @invariant()
    def all_that_must_hold(self) -> None:
        self.world.step()

    def teardown(self) -> None:
        try:
            if self.world.sound:
                self.world.close()
        finally:
            self.world.tear_down()


SETTINGS = settings(
    max_examples=-(-HISTORIES // PARTS),
    stateful_step_count=STEPS,
    deadline=None,
    derandomize=False,
    database=None,
    print_blob=True,
    phases=PHASES,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.parametrize("part", range(PARTS))
def test_histories(part: int) -> None:
    """The seeds are fixed, so that each run plays the same histories. In parts, for as many processors."""
    print(f"{HISTORIES} histories; SIMULATION_SEED={SEED} plays them again")  # noqa: T201 - for the report
    Histories.tally = Tally()
    run_state_machine_as_test(seed(SEED + part)(Histories), settings=SETTINGS)
    print(Histories.tally)  # noqa: T201 - for the report
    if HISTORIES >= ENOUGH:
        assert not [what for what in THINGS if not Histories.tally[what]], "histories get everywhere"
