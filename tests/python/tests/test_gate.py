"""The wrappers of the gate and of the rules for text."""

from __future__ import annotations

import pytest

from dsh_fs import Broken, Gate, Refused, Texts
from dsh_fs.values import Ambiguity, Edit, Prior, Seed, Target

A = Target("/a", "/a")


def test_a_ledger_remembers_until_it_is_left() -> None:
    gate = Gate()
    with gate.ledger(Seed(1, 2)) as ledger:
        with pytest.raises(Refused) as refused:
            ledger.edit_intent(A)
        assert refused.value.value.code == "not-observed"
        ledger.observe("/a", Prior("present", "v1"))
        assert ledger.edit_intent(A) == "v1"
        assert ledger.write_intent("/a").payload == "v1"
        assert ledger.prior_of("/a") == Prior("present", "v1")
        assert ledger.prior_of("/b") == Prior("unseen")
    with pytest.raises(Broken):
        ledger.prior_of("/a")


def test_refusals_have_their_types(texts: Texts) -> None:
    with pytest.raises(Refused) as refused:
        texts.apply_edit("a\na\n", Edit("a", "b", False))
    assert refused.value.value.tag == "ambiguous"
    assert refused.value.value.payload == Ambiguity(2, [1, 2])
    with pytest.raises(Refused) as refused:
        Gate().check_escalation("workspace-write", None)
    assert isinstance(refused.value.value, str)
    assert Gate().check_escalation(None, None) is None
