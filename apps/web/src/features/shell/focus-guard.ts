/** The region that had the focus last, and what had it there. */
type Place = { region: HTMLElement | null; element: HTMLElement }

/**
 * The focus never falls to the body: where what had it goes (a row, a tab, a menu's opener), its region takes it. Whatever knows
 * better, such as a table that has a next row, comes first. Returns what stops it.
 */
export function guardFocus(): () => void {
  let last: Place | null = null
  let frame = 0

  function remember(event: FocusEvent) {
    const element = event.target instanceof HTMLElement ? event.target : null
    const region = element?.closest<HTMLElement>('[data-region]')
    if (element && region) last = { region, element }
    // The palette or a dialog, before anything of the page: when it goes, the document takes the focus.
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
    // Two frames: closing dialogs and tables that know the next row have the first.
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

/** A dialog or menu that is open, or about to take the focus, keeps it. */
function isBlocked(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null
}

function stopIn(region: HTMLElement | null): HTMLElement | null {
  const place = document.querySelector<HTMLElement>('[data-region=document]')
  const there = region?.isConnected ? region : place
  return firstStop(there) ?? firstStop(place) ?? place ?? there
}

/** Not what closes a panel: the next key would take it away. */
function firstStop(region: HTMLElement | null): HTMLElement | undefined {
  const stops = region?.querySelectorAll<HTMLElement>('[tabindex="0"], button, input, a[href]') ?? []
  return [...stops].find(stop => canTake(stop) && !stop.closest('[data-closes]'))
}

function canTake(element: HTMLElement): boolean {
  return element.isConnected && element.getClientRects().length > 0
}
