"""The stand-in as a web application: Stripe's API, what Stripe.js calls, and controls for tests."""

from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from api.testing.stripe.calls import find_call
from api.testing.stripe.cards import Behaviour, new_method
from api.testing.stripe.delivery import Delivery
from api.testing.stripe.document import document
from api.testing.stripe.engine import Engine
from api.testing.stripe.form import parse_form
from api.testing.stripe.world import Refused, Thing, World

SECRET_KEY = "sk_test_stand_in"
PUBLISHABLE_KEY = "pk_test_stand_in"
WEBHOOK_SECRET = "whsec_stand_in"
SCRIPT = Path(__file__).with_name("stripe.js")


class StandIn:
    def __init__(self, world: World, delivery: Delivery | None = None) -> None:
        self.world = world
        self.engine = Engine(world)
        self.delivery = delivery
        self.is_down = False
        self.lost_path = ""
        """Calls of this path are made, but their answers do not arrive."""
        self.calls: list[str] = []

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/v1/{path:path}", self.call, methods=["GET", "POST", "DELETE"]),
                Route("/stripe.js", self.script),
                Route("/_js/setup_intents/{id}/confirm", self.confirm_setup, methods=["POST"]),
                Route("/_js/setup_intents/{id}/authenticate", self.authenticate_setup, methods=["POST"]),
                Route("/_js/payment_intents/{id}/confirm", self.confirm_payment, methods=["POST"]),
                Route("/_js/payment_intents/{id}/authenticate", self.authenticate_payment, methods=["POST"]),
                Route("/_pdf/{id}", self.pdf),
                Route("/_control/{what}", self.control, methods=["GET", "POST"]),
            ],
            middleware=[
                Middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["*"], allow_headers=["*"]),
            ],
            exception_handlers={Refused: _refused},
        )

    # ---- the API ------------------------------------------------------------------------------------------------

    async def call(self, request: Request) -> Response:
        if self.is_down:
            return JSONResponse({"error": {"type": "api_error", "message": "Down."}}, status_code=503)
        if request.headers.get("authorization") != f"Bearer {SECRET_KEY}":
            raise Refused(401, "Invalid API Key provided.")
        body = (await request.body()).decode()
        path = request.path_params["path"]
        key = request.headers.get("idempotency-key")
        kept = f"{request.method} {key}"
        print_of = hashlib.sha256(f"{path}\n{body}".encode()).hexdigest()
        if key is not None and kept in self.world.answers:
            fingerprint, status, answer = self.world.answers[kept]
            if fingerprint != print_of:
                raise Refused(400, "Keys for idempotent requests differ.", kind="idempotency_error")
            return self._answer(path, status, answer)
        self.calls.append(f"{request.method} {path}")
        status, answer = self._run(request, path, body)
        if key is not None and request.method != "GET":
            self.world.answers[kept] = [print_of, status, answer]
        if request.method != "GET":
            self._changed()
        return self._answer(path, status, answer)

    def _run(self, request: Request, path: str, body: str) -> tuple[int, Thing]:
        params = parse_form(body if request.method == "POST" else request.url.query)
        expand = params.pop("expand", [])
        try:
            call, ids = find_call(request.method, path)
            found = call(self.world, self.engine, ids, params)
        except Refused as refused:
            return refused.status, {"error": refused.error}
        if isinstance(found, list):
            return 200, self.world.page(found, f"/v1/{path}", int(params.get("limit", 10)), expand)
        return 200, self.world.render(found, expand)

    def _answer(self, path: str, status: int, answer: Thing) -> Response:
        if path == self.lost_path:
            return JSONResponse({"error": {"type": "api_error", "message": "Lost."}}, status_code=500)
        return JSONResponse(answer, status_code=status)

    def _changed(self) -> None:
        self.world.keep()
        if self.delivery is not None:
            self.delivery.wake()

    # ---- what Stripe.js calls -----------------------------------------------------------------------------------

    async def script(self, _request: Request) -> Response:
        return FileResponse(SCRIPT, media_type="text/javascript", headers={"Cache-Control": "no-store"})

    async def confirm_setup(self, request: Request) -> Response:
        intent, given = await self._mine(request, "setup_intent")
        method = new_method(self.world, given["number"], int(given["month"]), int(given["year"]))
        intent |= {"payment_method": method["id"], "status": "requires_action"}
        if method["_behaviour"] != Behaviour.ASKS:
            self._saved(intent)
        self._changed()
        return JSONResponse(self.world.render(intent))

    async def authenticate_setup(self, request: Request) -> Response:
        intent, given = await self._mine(request, "setup_intent")
        if given["success"]:
            self._saved(intent)
        else:
            intent |= {"payment_method": None, "status": "requires_payment_method"}
        self._changed()
        return JSONResponse(self.world.render(intent))

    def _saved(self, intent: Thing) -> None:
        method = self.world.get(intent["payment_method"], "payment_method")
        method["customer"] = intent["customer"]
        intent["status"] = "succeeded"
        self.world.happened("setup_intent.succeeded", intent)

    async def confirm_payment(self, request: Request) -> Response:
        payment, given = await self._mine(request, "payment_intent")
        bill = self.world.get(payment["_invoice"], "invoice")
        if bill["status"] == "open" and payment["status"] != "requires_action":
            method = given.get("payment_method") or payment["payment_method"]
            self.engine.collect(bill, off_session=False, method=method)
        self._changed()
        return JSONResponse(self.world.render(payment))

    async def authenticate_payment(self, request: Request) -> Response:
        payment, given = await self._mine(request, "payment_intent")
        self.engine.authenticated(payment, bool(given["success"]))
        self._changed()
        return JSONResponse(self.world.render(payment))

    async def _mine(self, request: Request, kind: str) -> tuple[Thing, dict[str, Any]]:
        given = await request.json()
        intent = self.world.get(request.path_params["id"], kind)
        if given.get("key") != PUBLISHABLE_KEY or given.get("client_secret") != intent["client_secret"]:
            raise Refused(401, "The client secret does not match.")
        return intent, given

    async def pdf(self, request: Request) -> Response:
        bill = self.world.get(request.path_params["id"], "invoice")
        return Response(await asyncio.to_thread(document, bill), media_type="application/pdf")

    # ---- controls -----------------------------------------------------------------------------------------------

    async def control(self, request: Request) -> Response:
        given = json.loads(await request.body() or b"{}")
        match request.path_params["what"]:
            case "advance":
                self.engine.advance(self.world.now + int(float(given["days"]) * 86_400))
                self._changed()
            case "card":
                # A customer's bank changes its mind.
                for method in self.world.all("payment_method", customer=given["customer"]):
                    method["_behaviour"] = given["behaviour"]
            case "fail":
                self.is_down = given.get("is_down", False)
                self.lost_path = given.get("lost_path", "")
            case "settle":
                if self.delivery is not None:
                    await self.delivery.settle()
            case "events":
                return JSONResponse(self.world.events)
            case "calls":
                return JSONResponse(self.calls)
            case "things":
                return JSONResponse([self.world.render(each) for each in self.world.all(given["kind"])])
        return JSONResponse({"now": self.world.now})


async def _refused(_request: Request, refused: Exception) -> Response:
    assert isinstance(refused, Refused)
    return JSONResponse({"error": refused.error}, status_code=refused.status)
