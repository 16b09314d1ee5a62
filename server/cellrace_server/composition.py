"""Where adapters meet services: the one place that knows them all."""

import asyncio
import contextlib
import gc
import logging
import socket
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from errno import EADDRINUSE
from typing import NamedTuple

from cellrace_server.adapters.chance import SystemChance
from cellrace_server.adapters.clock import StoreClock
from cellrace_server.adapters.descriptors import allow_connections
from cellrace_server.adapters.house_bots import HouseBots
from cellrace_server.adapters.redis import RedisStore
from cellrace_server.adapters.solver import Workers
from cellrace_server.adapters.valkey import EmbeddedStoreError, EmbeddedValkey
from cellrace_server.adapters.valkey.supervisor import PATIENCE
from cellrace_server.admin.clerk import Clerk
from cellrace_server.admin.listener import Listener
from cellrace_server.admin.place import Place, SocketTaken, SocketUnusable, own
from cellrace_server.core.options import Options
from cellrace_server.gateway.addresses import Networks
from cellrace_server.gateway.channels import Channels
from cellrace_server.gateway.counters import Counters
from cellrace_server.gateway.desk import Desk
from cellrace_server.gateway.door import HouseRules
from cellrace_server.gateway.followers import Followers
from cellrace_server.gateway.onlookers import Onlookers
from cellrace_server.gateway.server import Gateway, Listening
from cellrace_server.ports.errors import StoreUnavailable
from cellrace_server.services.bookkeeper import Bookkeeper
from cellrace_server.services.caps import Most
from cellrace_server.services.daily_attempts import DailyAttempts
from cellrace_server.services.daily_deals import DailyDeals
from cellrace_server.services.dealer import Dealer
from cellrace_server.services.erasure import Eraser
from cellrace_server.services.ghosts import GhostRaces
from cellrace_server.services.hall import Hall
from cellrace_server.services.identities import People
from cellrace_server.services.ledger import Ledger
from cellrace_server.services.listing import Listing
from cellrace_server.services.lobby import Lobby
from cellrace_server.services.nodes import Nodes
from cellrace_server.services.profiles import Profiles
from cellrace_server.services.pulse import Pulse
from cellrace_server.services.retention import Retention
from cellrace_server.services.roll_call import RollCall
from cellrace_server.services.shown import Shown
from cellrace_server.services.sights import Sights
from cellrace_server.services.stand_ins import StandIns
from cellrace_server.services.sweeper import Sweeper
from cellrace_server.settings import ADMIN_SOCKET, Settings
from cellrace_server.urls import public

GARBAGE_YOUNG = 10_000
"""New objects from one look of the garbage collector to the next."""

DRAIN_S = 1.0
FLUSH_S = 0.7
STORE_STOP_S = 2.0
"""Together with what they leave over, the server ends within five seconds of SIGTERM."""

logger = logging.getLogger(__name__)


class CannotStart(Exception):
    """Why the server cannot start, in words for the host."""


class Address(NamedTuple):
    """Where the server can be reached, and where races are kept."""

    http: str
    ws: str
    store: str


async def serve(settings: Settings, stop: asyncio.Event, ready: Callable[[Address], None]) -> None:
    """Run until `stop` is set; `ready` is called once connections are accepted. Everything that was
    acknowledged is stored, and every process started is gone, when this returns or raises.

    Raises `CannotStart`.
    """
    async with (
        _store(settings) as store,
        _services(store, settings) as (desk, bookkeeper, tasks),
    ):
        listening = Listening(settings.host, settings.port, _house_rules(settings), receive=settings.receive)
        gateway = Gateway(desk, listening)
        try:
            await gateway.start()
        except OSError as error:
            other = (
                "; --port, CELLRACE_PORT or `make run PORT=…` names another"
                if error.errno == EADDRINUSE
                else ""
            )
            raise CannotStart(
                f"cannot listen on {settings.host} port {settings.port}: {error.strerror}{other}"
            ) from None
        except ValueError:
            raise CannotStart(f"cannot listen on {settings.host!r}: this is no name of a host") from None
        _open_files(settings.connections_most)
        address = _address(settings, gateway.port)
        _settle_memory()
        bots = asyncio.create_task(_house_bots(settings, address))
        try:
            async with _admin(settings, Clerk(desk, gateway, stop.set)):
                ready(address)
                logger.info("serving at %s, races are kept in %s", address.http, address.store)
                await _until(stop, tasks, bots, *gateway.work)
        finally:
            bots.cancel()
            await asyncio.wait([bots])
            logger.info("going down: %d connections are told", len(gateway.connections))
            await gateway.drain(DRAIN_S)
            await _flushed(desk.hall, bookkeeper)
            await gateway.close()
            logger.info("stopped")


async def _until(stop: asyncio.Event, *work: "asyncio.Task[None]") -> None:
    """Wait for `stop`, or for what should never end; raises what that raised."""
    stopped = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait([stopped, *work], return_when=asyncio.FIRST_COMPLETED)
        for failed in work:
            if failed.done():
                await failed
    finally:
        stopped.cancel()


@asynccontextmanager
async def _admin(settings: Settings, clerk: Clerk) -> AsyncGenerator[None]:
    """The admin socket, listening. Raises `CannotStart`."""
    place = _place(settings)
    if place is None:
        yield
        return
    listener = Listener(place, clerk.carry_out)
    try:
        await listener.start()
        yield
    finally:
        clerk.close()
        await listener.close()


def _place(settings: Settings) -> Place | None:
    """Where the admin socket cannot be had the server does without, unless the host has asked for it. Several servers
    on a shared store may have one data directory: those after the first name it by their process."""
    path = settings.admin_path
    if path is None or not hasattr(socket, "AF_UNIX"):
        return None
    wanted = settings.admin_socket != ADMIN_SOCKET
    try:
        return Place(path)
    except SocketTaken as error:
        if wanted or not settings.redis:
            raise CannotStart(str(error)) from None
        return Place(own(path))
    except SocketUnusable as error:
        if wanted:
            raise CannotStart(str(error)) from None
        logger.warning("%s", error)
        return None


def _open_files(connections_most: int) -> None:
    allowed = allow_connections(connections_most)
    if allowed < connections_most:
        logger.warning(
            "the system allows open files for some %d connections, not for %d (ulimit -Hn)",
            allowed,
            connections_most,
        )


def _settle_memory() -> None:
    """What is there now stays: the collector need not look at it again. Races are values without cycles, so it finds
    next to nothing at all; it looks for that less often, and each look stays short."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_YOUNG, 20, 100)


def _most(settings: Settings) -> Most:
    return Most(settings.open_races_most, settings.seats_most)


def _house_rules(settings: Settings) -> HouseRules:
    return HouseRules(
        origins=settings.origins,
        connections_most=settings.connections_most,
        per_address_most=settings.connections_per_address,
        limits=settings.rates,
        exempt=Networks(settings.limits_exempt),
        trusted=Networks(settings.trusted_proxies),
        limited=settings.limits == "on",
    )


@asynccontextmanager
async def _store(settings: Settings) -> AsyncGenerator[RedisStore]:
    async with contextlib.AsyncExitStack() as stack:
        url = settings.redis
        if not url:
            try:
                embedded = await stack.enter_async_context(
                    EmbeddedValkey(settings.data_path, patience=PATIENCE._replace(stop=STORE_STOP_S))
                )
            except EmbeddedStoreError as error:
                raise CannotStart(str(error)) from None
            url = embedded.url
        try:
            store = RedisStore(
                url,
                shared=bool(settings.redis),
                replicas=settings.replicas,
                kept_s=settings.keep_races_s,
            )
        except ValueError as error:
            raise CannotStart(f"--redis {public(url)}: {error}") from None
        yield await stack.enter_async_context(store)


class _House(NamedTuple):
    """Those who hear of every race."""

    hall: Hall
    nodes: Nodes
    sights: Sights
    bookkeeper: Bookkeeper
    sweeper: Sweeper
    listing: Listing
    roll_call: RollCall
    channels: Channels
    followers: Followers

    @property
    def works(self) -> tuple[Hall | Bookkeeper | Sights | Sweeper | Listing | RollCall, ...]:
        """What is to be run."""
        return self.hall, self.bookkeeper, self.sights, self.sweeper, self.listing, self.roll_call


def _house(store: RedisStore, settings: Settings, clock: StoreClock) -> _House:
    """All introduced to one another. Who tells people of races hears of them first; boards are for channels alone."""
    hall = Hall(store.log, clock)
    nodes = Nodes(store.node, clock)
    sights = Sights(store.sightings, clock)
    bookkeeper = Bookkeeper(
        store.results,
        sights,
        store.dailies,
        Ledger(store.careers, store.ratings, store.log),
        *(store.log, hall, clock),
    )
    sweeper = Sweeper(hall, store.log, bookkeeper, clock, nodes)
    listing = Listing(hall, store.bulletin, clock, nodes, settings.house_bots)
    roll_call = RollCall(hall, nodes, clock)
    channels = Channels(hall, clock.now, listing)
    followers = Followers(listing, clock.now)
    hall.listen(channels)
    for bystander in (bookkeeper, listing, sights, Onlookers(channels, sights), roll_call):
        hall.listen(bystander, boards=False)
    hall.attend(roll_call)
    listing.listen(channels)
    listing.listen(followers)
    return _House(hall, nodes, sights, bookkeeper, sweeper, listing, roll_call, channels, followers)


@asynccontextmanager
async def _services(
    store: RedisStore, settings: Settings
) -> AsyncGenerator[tuple[Desk, Bookkeeper, "asyncio.Task[None]"]]:
    clock, chance = StoreClock(store.time), SystemChance()
    house = _house(store, settings, clock)
    hall, sights, listing = house.hall, house.sights, house.listing
    workers = Workers(settings.solver_workers)
    dealer = Dealer(workers, clock, chance)
    lobby = Lobby(hall, store.directory, clock, chance, dealer, _most(settings))
    deals = DailyDeals(store.dailies, workers, clock, chance)
    ghosts = GhostRaces(store.results, sights, lobby, shown := Shown(hall, clock))
    hall.listen(stand_ins := StandIns(ghosts, hall, clock), boards=False)
    people = People(store.identities, store.directory, clock, chance, settings.blocked_names)
    eraser = Eraser(people, store.erasure, store.careers, store.log, hall, clock)
    desk = Desk(
        people=people,
        hall=hall,
        lobby=lobby,
        daily=DailyAttempts(
            deals, store.dailies, lobby, hall, store.directory, clock, chance, _waits(settings)
        ),
        ghosts=ghosts,
        shown=shown,
        results=store.results,
        ratings=store.ratings,
        profiles=_profiles(store, people, clock),
        eraser=eraser,
        sights=sights,
        channels=house.channels,
        listing=listing,
        followers=house.followers,
        counters=Counters(),
        clock=clock,
        nodes=house.nodes,
        roll_call=house.roll_call,
        pulse=Pulse(store.confirm, clock),
        compensation_ms_most=settings.compensation_ms_most,
        spectators_most=settings.spectators_most,
        waits=_waits(settings),
    )
    await _recovered(store, clock, house.sweeper, None if settings.redis else hall)
    retention = Retention(store.results, store.log, clock, settings.keep_replays_days)
    works = (*house.works, clock, deals, stand_ins, retention, eraser, desk.pulse)
    tasks = asyncio.create_task(_run(listing.follow(), *(work.run() for work in works)))
    try:
        yield desk, house.bookkeeper, tasks
    finally:
        tasks.cancel()
        await _leave(listing, dealer, workers)
        await asyncio.wait([tasks])


async def _leave(listing: Listing, dealer: Dealer, workers: Workers) -> None:
    """Tell the other nodes, and let processes of ours end."""
    await listing.leave()
    await dealer.aclose()
    await workers.aclose()


def _profiles(store: RedisStore, people: People, clock: StoreClock) -> Profiles:
    return Profiles(
        people, store.results, store.ratings, store.careers, store.dailies, store.sightings, clock
    )


def _waits(settings: Settings) -> Options:
    """How patient races are before their start."""
    return Options(lobby_ms=1_000 * settings.lobby_idle_s, away_ms=1_000 * settings.keep_seats_s)


async def _warn_of_shortcomings(store: RedisStore) -> None:
    """Say what a store that others set up may lose."""
    if (shortcoming := await store.shortcoming()) is not None:
        logger.warning("%s", shortcoming)


async def _recovered(store: RedisStore, clock: StoreClock, sweeper: Sweeper, alone: Hall | None) -> None:
    """Take up what was left by an earlier life, or another node's; `alone`: there is no other. Raises `CannotStart`."""
    await _warn_of_shortcomings(store)
    try:
        await clock.measure()
        await sweeper.recover()
    except StoreUnavailable as error:
        raise CannotStart(f"the store does not answer: {error}") from None
    if alone is not None:
        alone.nobody_is_here()


async def _run(*services: Coroutine[None, None, None]) -> None:
    """All of them until one fails or this is cancelled."""
    async with asyncio.TaskGroup() as group:
        for service in services:
            group.create_task(service)


async def _house_bots(settings: Settings, address: Address) -> None:
    """Keep them, if the host wants any, until cancelled."""
    if not settings.house_bots:
        await asyncio.get_running_loop().create_future()
    tokens = settings.data_path / "house-bots.json"
    await HouseBots(address.ws, settings.house_bots, settings.house_bots_speed, tokens).run()


async def _flushed(hall: Hall, bookkeeper: Bookkeeper) -> None:
    """Wait until everything is stored; what the store does not take in time is taken up after the next start."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(FLUSH_S):
            while not (hall.committer.idle and bookkeeper.idle):  # noqa: ASYNC110 - once, at the end
                await asyncio.sleep(0.01)


def _address(settings: Settings, port: int) -> Address:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    if settings.host in ("0.0.0.0", "::"):  # noqa: S104 - shown, not bound
        host = "localhost"
    store = "the server named by --redis" if settings.redis else str(settings.data_path)
    return Address(f"http://{host}:{port}/", f"ws://{host}:{port}/ws", store)
