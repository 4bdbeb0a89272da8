import { createContext, useContext } from 'react'

/** Settings shared by all widgets. The page passes them in once, so that widgets do not depend on the specification. */
export type UiSettings = {
  searchDebounce: number
  /** Delay in milliseconds between typing and validation in inline editors. */
  editorDebounce: number
  /** Delay in milliseconds before a skeleton is shown. */
  skeletonDelay: number
  /** Pixels. */
  dropdownHeight: number
  optionPageSize: number
  tablePageSizes: readonly number[]
  tablePageSize: number
  shownChips: number
  snackbars: number
}

export const UiSettingsContext = createContext<UiSettings | null>(null)

export function useUiSettings(): UiSettings {
  const settings = useContext(UiSettingsContext)
  if (!settings) throw new Error('Widgets need a UiSettingsContext above them.')
  return settings
}
