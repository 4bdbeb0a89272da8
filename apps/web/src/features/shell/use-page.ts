import { useEffect, useMemo } from 'react'
import { queryClient } from '../../api/query-client.ts'
import type { Command } from '../../commands/command.ts'
import type { AppContext } from '../../commands/context.ts'
import { allCommands } from '../../commands/registry.ts'
import { listenForKeys, useCommands } from '../../commands/use-commands.ts'
import { atRest } from '../../ui/at-rest.ts'
import { prefetchDrag } from '../../ui/lazy-drag.ts'
import { prefetchMenus } from '../../ui/lazy-menu.ts'
import { prefetchDialogs } from '../../workbench/dialogs.ts'
import { prefetchDocuments } from '../../workbench/document-kinds.ts'
import { prefetchQuestions } from './DialogHost.tsx'

const all = () => true

/**
 * Shared by pages with documents: keyboard shortcuts (of all commands, or those that `isAvailable` selects), focus guard
 * and idle prefetching.
 */
export function usePage(context: AppContext, isAvailable: (command: Command<AppContext>) => boolean = all): void {
  const commands = useMemo(() => allCommands().filter(isAvailable), [isAvailable])
  useCommands(commands, context)
  useEffect(() => listenForKeys(window), [])
  useEffect(guardFocus, [])
  useEffect(prefetchWhenIdle, [])
}

/** Resolves once the browser is idle and no data is being read. */
export async function pageAtRest(): Promise<void> {
  do await atRest()
  while (queryClient.isFetching() > 0)
}

/** Loads code likely to be needed, after the data shown and one file at a time: running it blocks input. */
function prefetchWhenIdle() {
  let isLeft = false
  const timer = setTimeout(async () => {
    for (const prefetch of [prefetchDrag, prefetchMenus, prefetchQuestions, prefetchDocuments, prefetchDialogs]) {
      await pageAtRest()
      if (isLeft) return
      // A failure is reported when the code is needed.
      await prefetch().catch(() => undefined)
    }
  }, 1500)
  return () => {
    isLeft = true
    clearTimeout(timer)
  }
}

type Place = { region: HTMLElement | null; element: HTMLElement }

/**
 * Keeps the focus off the body: if the focused element is removed (a row, a tab, a menu's opener), its region takes the
 * focus, unless a better target, such as the next row, was focused first. Returns a cleanup function.
 */
function guardFocus(): () => void {
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
