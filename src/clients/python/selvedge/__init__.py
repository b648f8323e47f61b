"""Client for Selvedge, with and without asyncio.

>>> import os
>>> from selvedge import Client
>>> client = Client.login(os.environ["BASE_URL"], api_key=os.environ["API_KEY"], org_slug=os.environ["ORG_SLUG"])
>>> shirt = client.entities.create("item", {"name": "Linen shirt"})
"""

from . import models
from ._async.client import AsyncClient
from ._async.operator import AsyncOperator
from ._async.tasks import send_callback as send_callback_async
from ._sync.client import Client, sso_address
from ._sync.operator import Operator
from ._sync.tasks import send_callback
from .entity import Batch, Criteria, Entity, Order, Page
from .errors import ApiError, ArgumentError, FieldError, LoadError, RevertError, SelvedgeError
from .upload_content import UploadProgress

__version__ = "0.1.0"

__all__ = [
    "ApiError",
    "ArgumentError",
    "AsyncClient",
    "AsyncOperator",
    "Batch",
    "Client",
    "Criteria",
    "Entity",
    "FieldError",
    "LoadError",
    "Operator",
    "Order",
    "Page",
    "RevertError",
    "SelvedgeError",
    "UploadProgress",
    "models",
    "send_callback",
    "send_callback_async",
    "sso_address",
]
