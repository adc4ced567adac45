"""The games there are."""

from collections.abc import Mapping

from service.rulebooks import gin, rummy
from service.rulebooks.base import Rulebook

RULEBOOKS: Mapping[str, Rulebook] = {gin.NAME: gin, rummy.NAME: rummy}
