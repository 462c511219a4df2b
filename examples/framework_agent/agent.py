"""A desk clerk built with Pydantic AI, served over HTTP: `POST /chat`, and its state at `GET /state/SESSION`.

The model is a small one on this machine (see README.md). One message history a session is all its memory.
"""

import os

import uvicorn
from pydantic_ai import Agent
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

ABOUT = """You work at the desk of Wheel & Co, a bicycle shop in Green Street 12.
Open: Monday to Saturday, 9:00 to 18:00. Closed on Sunday. Phone: 555-0142.
Mending a flat tyre costs 12 euros. A new chain costs 25 euros. A yearly service costs 60 euros.
Renting a bicycle costs 15 euros a day. Helmets are free with a rental.
Answer the customer's question in one short sentence."""

MODEL = os.environ.get("MODEL_URL", "http://127.0.0.1:8931/v1")
TEMPERATURE = float(os.environ.get("TEMPERATURE", "0.7"))

provider = OpenAIProvider(base_url=MODEL, api_key="none needed")
clerk = Agent(OpenAIChatModel("smollm2-135m-instruct", provider=provider), system_prompt=ABOUT)
histories: dict[str, list] = {}


async def chat(request: Request) -> JSONResponse:
    """Answer one message of a session."""
    asked = await request.json()
    history = histories.get(asked["session"], [])
    settings = {"temperature": TEMPERATURE, "max_tokens": 60, "seed": asked["seed"] % 2**31}
    result = await clerk.run(asked["text"], message_history=history, model_settings=settings)
    histories[asked["session"]] = result.all_messages()
    usage = {"input_tokens": result.usage.input_tokens, "output_tokens": result.usage.output_tokens}
    return JSONResponse({"text": result.output, "usage": usage, "model": "smollm2-135m-instruct-q4_1"})


async def state(request: Request) -> JSONResponse:
    """What the clerk has in mind of a session: how often it was asked, and by what last."""
    parts = [
        part.content
        for message in histories.get(request.path_params["session"], [])
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, UserPromptPart)
    ]
    return JSONResponse({"asked": len(parts), "last": parts[-1] if parts else None})


app = Starlette(routes=[Route("/chat", chat, methods=["POST"]), Route("/state/{session}", state)])

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=8932, log_level="warning")
