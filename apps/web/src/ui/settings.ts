import { createContext, useContext } from 'react'

/** Numbers that every widget of a kind shares. The page hands them in once; widgets know no specification. */
export type UiSettings = {
  /** Milliseconds after the last key before a search runs. */
  searchDebounce: number
  /** Milliseconds after the last key before an inline editor checks its value. */
  editorDebounce: number
  /** Milliseconds of nothing before a skeleton shows. */
  skeletonDelay: number
  /** Pixels. */
  dropdownHeight: number
  /** Options that a picker loads at a time. */
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
