import type { MenuPopupProps } from './MenuPopup.tsx'
import { notify } from './notices.ts'
import { onDemand } from './on-demand.ts'

/** Code of open menus, loaded with the first menu or when the page is idle. */
export const { Component: LazyMenuPopup, prefetch: prefetchMenus } = onDemand<MenuPopupProps>(() =>
  import('./MenuPopup.tsx').then(module => module.MenuPopup),
)

/** If loading fails, the menu closes and the next click tries again. */
export function notifyUnopened(close: () => void): void {
  close()
  notify('error', 'Unexpected error')
}
