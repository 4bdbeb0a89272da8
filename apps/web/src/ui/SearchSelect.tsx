import { useState } from 'react'
import { Picker, type PickerProps } from './Picker.tsx'
import { useOptions, type OptionSource } from './options.ts'

export type SearchSelectProps<T> = Omit<PickerProps<T>, 'results' | 'open' | 'onOpen' | 'search' | 'onSearch'> & {
  source: OptionSource<T>
  /** Called when the list closes. */
  onLeave?: (() => void) | undefined
}

/**
 * Selects one of many options by search: 300 ms after the last key, 20 at a time, more on scrolling. Enter selects
 * the best match.
 */
export function SearchSelect<T>({ source, onLeave, ...picker }: SearchSelectProps<T>) {
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const results = useOptions(source, search, open)
  function show(next: boolean) {
    setOpen(next)
    if (next) return
    setSearch('')
    onLeave?.()
  }
  return <Picker {...picker} results={results} open={open} onOpen={show} search={search} onSearch={setSearch} />
}
