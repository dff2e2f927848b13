"""`/r/ID`: one roll, as far as it may be shown, and its proof (WEB-02)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

import grammars
from ircdice import dispatcher
from ircdice.dice import RecordedDice
from ircdice.errors import Refused
from ircdice.ledger.archive import proof_of
from ircdice.ledger.paste import Paste
from ircdice.ledger.record import Record
from ircdice.ledger.verify import Asker, verify_all
from ircdice.outcome import Die, plain_number, pool
from ircdice.web.answers import Answer, PageError, SafeJSON
from ircdice.web.charts import chart
from ircdice.web.odds import likelihood
from ircdice.web.site import Site, site_of
from ircdice.web.verify import Finding, findings

PATIENCE = 0.5  # seconds that the page waits for the odds
MEASURES = ("successes", "passes", "success_value", "result", "total")  # values that odds have a distribution of


async def roll_page(request: Request) -> Answer:
    """`/r/ID`: one roll. Readers without access to its channel see what `verify` tells strangers."""
    typed = request.path_params["id"]
    finding = await _one(request, typed)
    record, place = finding.verification.record, finding.place
    data: dict[str, object] = finding.as_object()
    values: dict[str, object] = {"finding": finding, "place": place, "record": None, "odds": None, "chart": None}
    if record is not None and place is not None:
        site = site_of(request)
        chain = await _chain(request, finding)
        dice = dice_of(record)
        opening = finding.verification.root if record.draft.kind == "answer" else None
        throws = [(each.draft.nick, dice_of(each)) for each in (opening, record) if each is not None]
        home = place.home if place.secret else ""
        values |= {"record": record, "throws": throws, "chain": chain, "home": home}
        values |= await _odds(site, record)
        values["command"] = f"python3 check_export.py proof-{record.id}.json --key {(await site.keys())[0]}"
        data |= {"dice": [_die(die) for die in dice], "text": record.draft.text, "kind": record.draft.kind}
        data["chain"] = [each.as_object() for each in chain]
    status = 404 if finding.verification.verdict == "unknown" else 200
    about = finding.line if place is not None and not place.secret else finding.text
    hidden = place is None or place.secret
    return Answer("roll.html", f"Roll {finding.verification.id}", data, values, about, status, hidden)


async def _one(request: Request, typed: str) -> Finding:
    found = await findings(request, typed) if len(typed) < 40 else []
    if len(found) != 1 or not Paste(typed).only_ids:
        raise PageError(f'"{typed[:40]}" is not an id.', example="/r/4d-27b5pk")
    return found[0]


async def _chain(request: Request, finding: Finding) -> Sequence[Finding]:
    """The records about one roll, in order, each with its verdict."""
    site, root = site_of(request), finding.verification.root
    if root is None:
        return []
    records = [root, *await site.ledger.about(root.seq)]
    if len(records) == 1:
        return []
    ids = [record.id for record in records if record.tag and finding.place and finding.place.shows(record)]
    found = await verify_all(Paste(" ".join(ids)), site.ledger, Asker(), site.config.window)
    return [Finding(each, finding.place) for each in found if each.record and each.record.draft.line]


async def proof(request: Request) -> Response:
    """`/r/ID/proof.json`: what proves one roll without this page (docs/verification.md)."""
    finding = await _one(request, request.path_params["id"])
    record, found = finding.verification.record, None
    if finding.verification.verdict == "genuine" and record is not None and finding.place is not None:
        found = await site_of(request).ledger.read(lambda store: proof_of(store, record.seq))
    if found is None:
        raise PageError("There is no proof of that roll to be shown yet.", 404)
    name = f"proof-{finding.verification.id}.json"
    return SafeJSON(
        found, headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    )


def dice_of(record: Record) -> tuple[Die, ...]:
    """The dice as drawn, with roles if judging the command again gives the same dice."""
    draws = record.draft.draws
    try:
        node = grammars.read(record.draft.text, record.draft.terms.system, True).node
        if record.draft.kind in ("roll", "contest", "answer") and dispatcher.rolls(node):
            source = RecordedDice(draws)
            outcome = dispatcher.evaluate(node, source, record.draft.terms.house)
            source.finish()
            dice = (*outcome.dice, *(outcome.opponent.dice if outcome.opponent else ()))
            if sorted((die.sides, die.face) for die in dice) == sorted(draws):
                return dice
    except (Refused, ValueError):
        pass
    return tuple(die for sides, face in draws for die in pool((face,), sides))


async def _odds(site: Site, record: Record) -> dict[str, object]:
    """The odds of a roll, with its result marked (WEB-03); no chart if they take too long."""
    draft = record.draft
    try:
        node = grammars.read(draft.text, draft.terms.system, True).node
        if draft.kind != "roll" or not dispatcher.rolls(node):
            return {}
        values = dispatcher.evaluate(node, RecordedDice(draft.draws), draft.terms.house).values
    except (Refused, ValueError):
        return {}
    found = next((values[name] for name in MEASURES if name in values), None)
    at = plain_number(found) if isinstance(found, int | Fraction) else None
    query = [("q", str(node)), ("game", draft.terms.system), *([("at", at)] if at is not None else [])]
    shown: dict[str, object] = {"odds": f"/odds?{urlencode(query)}"}
    try:
        side = (await site.odds.of(str(node), draft.terms.system, draft.terms.house, PATIENCE)).sides[0]
    except PageError:
        return shown
    drawn = chart({side.name: side.values}, "exactly", at)
    if drawn is not None and at is not None:
        shown |= {"chart": drawn, "likelihood": likelihood(side.values, at), "measure": side.measure}
    return shown


def _die(die: Die) -> dict[str, object]:
    return {"sides": die.sides, "face": die.face, "role": die.role, "kept": die.kept}
