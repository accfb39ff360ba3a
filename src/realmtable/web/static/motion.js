// Whether to leave animations out: the system asks for it, or the player's settings do.

const system = matchMedia("(prefers-reduced-motion: reduce)");

export const reducesMotion = () => system.matches || document.documentElement.dataset.motion === "reduced";
