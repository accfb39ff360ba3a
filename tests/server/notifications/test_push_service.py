"""The push service of the tests decrypts as the standard says."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric import ec

from tests.server.support.push_service import PushBrowser, decode

# The example of RFC 8291, appendix A.
PRIVATE = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y"
    "l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_standard() -> None:
    key = ec.derive_private_key(int.from_bytes(decode(PRIVATE)), ec.SECP256R1())
    assert PushBrowser(key, decode(AUTH)).decrypt(decode(BODY)) == b"When I grow up, I want to be a watermelon"
