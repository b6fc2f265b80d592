"""bwrap's error messages → what helps. Pure but for one look at /proc."""

from pathlib import Path

INSTALL = "apt install bubblewrap (Debian, Ubuntu) · dnf install bubblewrap · pacman -S bubblewrap"
_APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
_NEW_ENOUGH = "bubblewrap 0.8 or newer is needed (Debian 12, Ubuntu 24.04 and Fedora 38 have it)"
_PROFILE = (
    "AppArmor keeps bwrap from making namespaces. Load its profile: sudo apt install "
    "apparmor-profiles && sudo install -m 644 /usr/share/apparmor/extra-profiles/"
    "bwrap-userns-restrict /etc/apparmor.d/ && sudo systemctl reload apparmor"
)
_NAMESPACES = (
    "Unprivileged user namespaces are off: sudo sysctl -w kernel.unprivileged_userns_clone=1 "
    "user.max_user_namespaces=15000. In a container, allow them to it, or run laios outside"
)


def explained(said: str) -> str:
    """The message of SandboxUnavailable for what bwrap printed."""
    words = " ".join(said.split())[-300:] or "it printed nothing"
    return f"bubblewrap cannot build a sandbox here ({words}). {_fix(said)}."


def _fix(said: str) -> str:
    if "Unknown option" in said:
        return _NEW_ENOUGH
    if "uid map" in said or "loopback" in said or "namespace" in said:
        try:
            restricted = _APPARMOR.read_text("ascii").strip() == "1"
        except OSError:
            restricted = False
        return _PROFILE if restricted else _NAMESPACES
    if "proc" in said:
        return "A container hides parts of /proc; run laios outside, or give it an unmasked /proc"
    return "Look whether this works: bwrap --ro-bind / / --unshare-all true"
