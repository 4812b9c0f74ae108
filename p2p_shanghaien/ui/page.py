"""A self-contained web page that replays a whole game: no server, no other file, no network."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from itertools import groupby
from typing import Final, NamedTuple

from p2p_shanghaien.fairplay.verify import Report
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui import palette
from p2p_shanghaien.ui.assets import asset, filled
from p2p_shanghaien.ui.picture import Markup, Panel, Part, Picture, join, svg, tag, words
from p2p_shanghaien.ui.snapshots import Snapshot, closing, has_ended, picture, snapshots
from p2p_shanghaien.ui.verdicts import details, game_verdict, game_with_options
from p2p_shanghaien.ui.verifier import Check, check_blocks, check_script, data_block, policy
from p2p_shanghaien.ui.view import Viewpoint, table_of, told, viewpoint
from p2p_shanghaien.ui.words import say

NOTHING: Final = Markup("")


class Proof(NamedTuple):
    """The proof of the game: the verdict in a line, paragraphs on its basis, and the signed log, if there is one."""

    verdict: str
    paragraphs: tuple[str, ...]
    check: Check | None = None


def proof(record: Record, report: Report | None, file: str, data: bytes) -> Proof:
    """Return what `report` found in `data`, which the log called `file` holds, and how to verify it again.

    A text record, which may be one of practice, has no report.
    """
    verdict = game_verdict(record, report)
    made = {"when": datetime.now(UTC), "version": version("p2p-shanghaien")}
    if report is None:
        return Proof(verdict, (say("page_practice" if record.is_practice else "page_unsigned", **made),))
    log = say("page_log", file=file, size=len(data), digest=sha256(data).hexdigest())
    verified = say("page_verified", verdict=verdict, **made)
    paragraphs = (verified, *details(report), log, say("check_compared"), say("page_no_proof", file=file))
    return Proof(verdict, paragraphs, Check(file, data, tuple(record.game.named_data().values()), report))


def page(record: Record, proof: Proof, analysis: Markup = NOTHING) -> str:
    """Return the page that replays `record`, with the section `analysis` (`ui.review.page`) if there is one.

    It shows `proof`, and verifies the log in it when it is opened; that proves nothing of the page itself.
    """
    who = viewpoint(record.names, None)
    seen = tuple(snapshots(record))
    ended = has_ended(record)
    pictures = [
        picture(record, seen[:count], who, ended=ended and count == len(seen)) for count in range(1, len(seen) + 1)
    ]
    parts = list(dict.fromkeys(part for each in pictures for panel in each.panels for part in panel.parts))
    last = pictures[-1] if pictures else picture(record, (), who, ended=ended)
    style = palette.style(last.looks) + asset("base.css") + asset("replay.css")
    script = asset("replay.js")
    check = proof.check
    game = record.game.NAME
    back, on = say(f"{game}:stage_back"), say(f"{game}:stage_next")
    return filled(
        "replay.html",
        page_stages=words(say(f"{game}:stages")),
        page_back_stage=words(back),
        page_next_stage=words(on),
        page_keys=words(say("page_keys", back=back, next=on)),
        policy=policy(style, (script, check_script()) if check else (script,)),
        style=style,
        script=script,
        title=words(say("page_title", first=who.names[0], second=who.names[1])),
        about=words(game_with_options(game, dict(record.game.settings))),
        verdict=words(proof.verdict),
        told=words(closing(record, who)),
        last=str(max(len(seen) - 1, 0)),
        stages=join(_stage_links(game, seen)),
        symbols=last.symbols,
        panels=join(map(_panel, last.panels)),
        words=join(tag("li", words(part.words)) for panel in last.panels for part in panel.parts if part.words),
        analysis=analysis,
        moves=_moves(record, seen, who),
        proof=join(tag("p", words(paragraph)) for paragraph in proof.paragraphs),
        parts=join(tag("g", part.markup) for part in parts),
        data=_data(pictures, parts),
        check=_check(check) if check else NOTHING,
        checking=f"{check_blocks(check)}\n<script>{check_script()}</script>" if check else "",
    )


def drawn(record: Record, seen: Sequence[Snapshot], verdict: str) -> str:
    """Return the table after the last of `seen` as a self-contained picture (SVG)."""
    who = viewpoint(record.names, None)
    is_last = len(seen) == len(tuple(snapshots(record)))
    ended = is_last and has_ended(record)
    if seen:
        snapshot = seen[-1]
        news = told(table_of(record.game.NAME), snapshot.before, snapshot.step, snapshot.after, who)
        news = f"{news} {closing(record, who)}" if is_last else news
        caption = say("picture_caption", game=record.game.NAME, place=str(snapshot.place), told=news)
    else:
        caption = str(closing(record, who))
    title = say("page_title", first=who.names[0], second=who.names[1])
    return svg(picture(record, seen, who, ended=ended), title, caption, verdict)


def _check(check: Check) -> Markup:
    """Return the place where the page says what it found when it verified its log."""
    output = tag("output", words(say("check_pending")), id="verified", data_verdict="")
    save = tag("a", words(say("check_save")), id="save", download=check.file, hidden="")
    return tag("p", output, Markup(" "), save, class_="check")


def _panel(panel: Panel) -> Markup:
    parts = (part.markup for part in panel.parts)
    view = f"0 0 {panel.width} {panel.height}"
    return tag("svg", *parts, class_="table", role="img", aria_label=say(panel.name), viewBox=view)


def _stage_links(game: str, seen: Sequence[Snapshot]) -> Iterator[Markup]:
    for snapshot in seen:
        if snapshot.opens_stage:
            number = snapshot.place.stage_number
            yield tag(
                "a", words(number), href=f"#{snapshot.place}", aria_label=say(f"{game}:stage_number", number=number)
            )


def _moves(record: Record, seen: Sequence[Snapshot], who: Viewpoint) -> Markup:
    """Return every move in words, a list for each stage and an item for each number in it."""
    table = table_of(record.game.NAME)

    def link(snapshot: Snapshot) -> Markup:
        news = told(table, snapshot.before, snapshot.step, snapshot.after, who)
        return tag("a", words(news), href=f"#{snapshot.place}")

    stages = []
    for number, of_stage in groupby(seen, lambda snapshot: snapshot.place.stage_number):
        opening: list[Markup] = []
        items: list[Markup] = []
        for numbers, of_number in groupby(of_stage, lambda snapshot: snapshot.place.numbers):
            line = Markup(" ".join(map(link, of_number)))
            is_item = len(numbers) > 1 and numbers[-1] > 0
            (items if is_item else opening).append(tag("li" if is_item else "p", line))
        heading = tag("h3", words(say(f"{record.game.NAME}:stage_number", number=number)))
        stages.append(tag("section", heading, *opening, tag("ol", *items)))
    end = tag("p", words(closing(record, who)), class_="closing")
    return join((tag("div", *stages, class_="stages"), end))


def _data(pictures: Sequence[Picture], parts: Sequence[Part]) -> str:
    """Return the data of the script: the parts of every panel at every snapshot, and each part in words."""
    numbers = {part: number for number, part in enumerate(parts)}
    shown = [
        [[panel.width, panel.height, [numbers[part] for part in panel.parts]] for panel in picture.panels]
        for picture in pictures
    ]
    data = {"stops": shown, "words": [part.words for part in parts]}
    return data_block(data)
