import type { MenuPopupProps } from './MenuPopup.tsx'
import { onDemand } from './on-demand.ts'

/** The open part of every menu, fetched when the first one opens or when the page is at rest. */
export const { Component: LazyMenuPopup, prefetch: prefetchMenus } = onDemand<MenuPopupProps>(() =>
  import('./MenuPopup.tsx').then(module => module.MenuPopup),
)
