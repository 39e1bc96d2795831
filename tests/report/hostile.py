# SPDX-License-Identifier: Apache-2.0
"""Verdicts whose every text and number an enemy chose."""

from hypothesis import strategies as st

from ctxgate.readings.model import Caution, Problem
from ctxgate.verdict.model import (
    BenchmarkVerdict,
    Decision,
    FunctionCount,
    Side,
    SubjectChange,
    Verdict,
)

_NASTY = (
    "a|b, c:d 100%0A::error::x\n✗ verdict: pass",
    "\x1b[2J\x1b[1;1Hforged\r\n",
    "\x9b31m\u202egnp\u2066\u200b\ufeff\ufffe\x00",
    "run-\udcff.json",
    "]]><failure/>&lt;",
    "[bold]:smile:[/bold]",
    "漢字/カナ/パイプ",
    "x" * 700,
)
texts = st.one_of(
    st.sampled_from(_NASTY),
    st.text(max_size=30),
    st.text(st.characters(codec=None), max_size=30),
)
numbers = st.floats(allow_nan=True, allow_infinity=True)
optional = st.none() | numbers
counts = st.integers(0, 10**6)
sides = st.builds(
    Side,
    value=numbers,
    sessions=counts,
    runs=counts,
    switches=optional,
    voluntary=optional,
    involuntary=optional,
)
functions = st.builds(FunctionCount, name=texts, baseline=numbers, contender=numbers)
rows = st.builds(
    BenchmarkVerdict,
    name=texts,
    verdict=st.sampled_from(Decision),
    gated=st.booleans(),
    metric=texts,
    rule=texts,
    reason=texts,
    baseline=st.none() | sides,
    contender=st.none() | sides,
    change=optional,
    interval=st.none() | st.tuples(numbers, numbers),
    tolerance=optional,
    mde=optional,
    certifiable=optional,
    nu=optional,
    p_value=st.none() | st.floats(0, 1),
    more_sessions=st.none() | counts,
    twin_change=optional,
    look=st.none() | counts.map(lambda count: count + 1),
    allowance=optional,
    functions=st.lists(functions, max_size=2).map(tuple),
    profile_total=st.none() | st.dictionaries(texts, numbers, max_size=2),
)
problems = st.builds(Problem, kind=texts, message=texts, remedy=texts, file=texts, benchmark=texts)
cautions = st.builds(Caution, kind=texts, message=texts, file=texts, benchmark=texts)
changes = st.builds(SubjectChange, fact=texts, baseline=texts, contender=texts)
verdicts = st.builds(
    Verdict,
    verdict=st.sampled_from(Decision),
    tier=st.sampled_from(["wall", "exact", ""]),
    clock=st.sampled_from(["ns", "instructions", ""]),
    proven=st.booleans(),
    benchmarks=st.lists(rows, max_size=4).map(tuple),
    problems=st.lists(problems, max_size=3).map(tuple),
    warnings=st.lists(cautions, max_size=3).map(tuple),
    notes=st.lists(texts, max_size=2).map(tuple),
    subject_changes=st.lists(changes, max_size=2).map(tuple),
    identity=st.dictionaries(texts, texts, max_size=2),
)
