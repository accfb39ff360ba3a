"""Kernels that Numba translates one by one and turns into machine code only where Python calls them.

On its own, Numba optimises each function together with everything it calls and gives it machine code and a wrapper for
Python; then it does so again for each caller, so that the innermost kernels are compiled dozens of times. Here, a
kernel that is called by another one is translated once, to LLVM's language. The kernel that Python calls links these
parts, optimises them together and is the only one with machine code, a wrapper and a place in the cache.

This module uses parts of Numba that are not documented; `compile.py` does without it where they are missing.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from numba.core import types
from numba.core.codegen import JITCodeLibrary, RuntimeLinker, ll, llvmir
from numba.core.compiler import Compiler
from numba.core.dispatcher import _FunctionCompiler
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher

Unknown = Any  # Numba has no types
OPTIONS: Final = {"nopython": True, "nogil": True}
PART_OPTIONS: Final = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
ALLOCATING: Final = frozenset({"array", "copy", "empty", "empty_like", "full", "ones", "zeros", "zeros_like"})


class Kernel(CPUDispatcher):  # type: ignore[misc] # as all of Numba's classes
    """A kernel: compiled when Python calls it, and linked as a `_Part` when another kernel does."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._part: _Part | None = None
        super().__init__(function, targetoptions=OPTIONS)
        self._compiler = _Linker(self)

    @property
    def part(self) -> _Part:
        """The kernel as other kernels call it."""
        if self._part is None:
            self._part = _Part(self.py_func)
        return self._part

    @property
    def _numba_type_(self) -> Unknown:
        """What other kernels see."""
        return types.Dispatcher(self.part)


class _Part(CPUDispatcher):  # type: ignore[misc]
    """A kernel as other kernels call it: it has no machine code."""

    def __init__(self, function: Callable[..., Any]) -> None:
        # Without Numba's reference counts, which only matter where arrays are allocated, there is far less to compile.
        counts = not ALLOCATING.isdisjoint(function.__code__.co_names)
        super().__init__(function, targetoptions={**PART_OPTIONS, "_nrt": counts}, pipeline_class=_PartCompiler)

    def add_overload(self, cres: Unknown) -> None:
        """Keep a translation; Python cannot call it."""
        self.overloads[tuple(cres.signature.args)] = cres

    def fold_argument_types(self, args: Unknown, kws: Unknown) -> tuple[Unknown, tuple[Unknown, ...]]:
        """Treat constants like other numbers: a kernel is not translated again for each constant passed to it."""
        signature, folded = super().fold_argument_types(args, kws)
        return signature, tuple(types.unliteral(argument) for argument in folded)

    def get_call_template(self, args: Unknown, kws: Unknown) -> tuple[Unknown, ...]:
        """Return how a call is typed, after translating the kernel for it."""
        signature, folded = self.fold_argument_types(args, kws)
        template, *_ = super().get_call_template(folded, {})
        return template, signature, folded, {}


class _PartCompiler(Compiler):  # type: ignore[misc]
    """Translates a kernel to LLVM's language."""

    def compile_extra(self, func: Callable[..., Any]) -> Unknown:
        context = self.state.targetctx  # made for this function alone
        context.get_executable = _no_executable
        self.state.library = _PartLibrary(context.codegen(), func.__qualname__)
        return super().compile_extra(func)


def _no_executable(*_: Unknown) -> object:
    """Return something that Numba can tell from other functions."""
    return object()


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The LLVM code of one kernel, without what it calls and as it was translated."""

    def _optimize_functions(self, ll_module: Unknown) -> None:
        ll_module.data_layout = self._codegen._data_layout  # noqa: SLF001 - as in the method that this replaces

    def finalize(self) -> None:
        """Leave the rest to the library that links this one."""
        self._finalized = True

    def callees(self) -> list[JITCodeLibrary]:
        return list(self._linking_libraries)

    def closure(self) -> list[JITCodeLibrary]:
        """Return this library and all that its code calls, directly or not."""
        found: dict[JITCodeLibrary, None] = {}
        waiting: list[JITCodeLibrary] = [self]
        while waiting:
            library = waiting.pop()
            if library not in found:
                found[library] = None
                waiting += library.callees() if isinstance(library, _PartLibrary) else []
        return list(found)


class _Linker(_FunctionCompiler):  # type: ignore[misc]
    """Makes machine code of a kernel and everything it calls."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel.py_func, kernel.targetdescr, OPTIONS, {}, Compiler)
        self.kernel = kernel

    def compile(self, args: Unknown, return_type: Unknown) -> Unknown:  # noqa: ARG002 - it is inferred
        part, context = self.kernel.part, self.kernel.targetctx
        with _without_garbage_collection():
            part.compile(args)
            translated = part.overloads[args]
            described, environment = translated.fndesc, translated.environment
            library = _LinkedLibrary(context.codegen(), self.py_func.__qualname__)
            library.enable_object_caching()
            for needed in translated.library.closure():
                library.add_linking_library(needed)
            context.create_cpython_wrapper(library, described, environment, translated.call_helper, release_gil=True)
            library.finalize()
            entry_point = context.get_executable(library, described, environment)
            library.set_environments()
        return translated._replace(library=library, entry_point=entry_point, target_context=context, metadata={})


class _LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A kernel with everything it calls, as machine code."""

    def _optimize_final_module(self) -> None:
        self._connect_recursive_calls()
        super()._optimize_final_module()

    def _connect_recursive_calls(self) -> None:
        """Define the pointers through which kernels call each other in a circle: all of them are in this module."""
        module = llvmir.Module()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(RuntimeLinker.PREFIX):
                callee = variable.name.removeprefix(RuntimeLinker.PREFIX)
                function = llvmir.Function(module, llvmir.FunctionType(llvmir.VoidType(), []), callee)
                pointer_type = llvmir.IntType(8).as_pointer()
                pointer = llvmir.GlobalVariable(module, pointer_type, variable.name)
                pointer.initializer = function.bitcast(pointer_type)
                pointer.global_constant = True
                pointer.linkage = "linkonce_odr"
        if module.globals:
            self._final_module.link_in(ll.parse_assembly(str(module)))

    def set_environments(self) -> None:
        """Set the environments of all linked kernels, which Numba only does for the one with the wrapper."""
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:
                self.codegen.set_env(variable.name, environment)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Pause the collection of cycles: a compiler creates many objects and discards few."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
