import { lazy } from 'react'

const load = () => import('./MenuPopup.tsx').then(module => ({ default: module.MenuPopup }))

/** The open part of every menu, fetched when the first one opens or when the page is at rest. */
export const LazyMenuPopup = lazy(load)

export function prefetchMenus(): Promise<unknown> {
  return load()
}
