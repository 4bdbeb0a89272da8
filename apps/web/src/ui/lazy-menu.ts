import type { MenuPopupProps } from './MenuPopup.tsx'
import { notify } from './notices.ts'
import { onDemand } from './on-demand.ts'

/** The open part of every menu, fetched when the first one opens or when the page is at rest. */
export const { Component: LazyMenuPopup, prefetch: prefetchMenus } = onDemand<MenuPopupProps>(() =>
  import('./MenuPopup.tsx').then(module => module.MenuPopup),
)

/** Its code cannot be had: the page stays as it is, and the next press tries again. */
export function tellUnopened(close: () => void): void {
  close()
  notify('error', 'Unexpected error')
}
