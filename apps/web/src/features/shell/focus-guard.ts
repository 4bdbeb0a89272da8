type Place = { region: HTMLElement | null; element: HTMLElement }

/**
 * Keeps the focus off the body: if the focused element is removed (a row, a tab, a menu's opener), its region takes the
 * focus, unless a better target, such as the next row, was focused first. Returns a cleanup function.
 */
export function guardFocus(): () => void {
  let last: Place | null = null
  let frame = 0

  function remember(event: FocusEvent) {
    const element = event.target instanceof HTMLElement ? event.target : null
    const region = element?.closest<HTMLElement>('[data-region]')
    if (element && region) last = { region, element }
    // The palette or a dialog opened before any region had the focus: the document takes the focus when it closes.
    else if (element) last ??= { region: null, element }
  }

  function restore() {
    frame = 0
    if (!isLost() || !last || isBlocked()) return
    const { element, region } = last
    const goal = canTake(element) ? element : stopIn(region)
    goal?.focus({ preventScroll: true })
  }

  function look() {
    if (frame !== 0 || !isLost() || !last) return
    // Two frames: closing dialogs and tables focus their own target first.
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(restore)
    })
  }

  document.addEventListener('focusin', remember)
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', remember)
    cancelAnimationFrame(frame)
  }
}

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

/** Open dialogs and menus manage the focus themselves. */
function isBlocked(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null
}

function stopIn(region: HTMLElement | null): HTMLElement | null {
  const place = document.querySelector<HTMLElement>('[data-region=document]')
  const start = region?.isConnected ? region : place
  return firstStop(start) ?? firstStop(place) ?? place ?? start
}

/** Skips close buttons: the next key press would close the panel. */
function firstStop(region: HTMLElement | null): HTMLElement | undefined {
  const stops = region?.querySelectorAll<HTMLElement>('[tabindex="0"], button, input, a[href]') ?? []
  return [...stops].find(stop => canTake(stop) && !stop.closest('[data-closes]'))
}

function canTake(element: HTMLElement): boolean {
  return element.isConnected && element.getClientRects().length > 0
}
