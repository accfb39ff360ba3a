"""A property that is computed once, without the lock that `functools.cached_property` takes in Python 3.11."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class lazy_value(Generic[Value]):  # noqa: N801 - used as a decorator
    """A value that is computed when it is first read, and then stored in the instance's `__dict__` under its name."""

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> lazy_value[Value]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __get__(self, instance: object, owner: type) -> lazy_value[Value] | Value:
        """Compute the value. Later reads find it in the instance."""
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
