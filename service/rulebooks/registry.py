"""The games there are."""

from collections.abc import Mapping

from service.rulebooks import gin
from service.rulebooks.base import Rulebook

RULEBOOKS: Mapping[str, Rulebook] = {gin.NAME: gin}
