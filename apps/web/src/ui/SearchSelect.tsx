import { useState } from 'react'
import { Picker, type PickerProps } from './Picker.tsx'
import { useOptions, type OptionSource } from './options.ts'

export type SearchSelectProps<T> = Omit<PickerProps<T>, 'found' | 'open' | 'onOpen' | 'search' | 'onSearch'> & {
  source: OptionSource<T>
  /** The list was opened and is closed again. */
  onLeave?: (() => void) | undefined
}

/** One of many, searched: 300 ms after the last key, 20 at a time, more on scrolling to the bottom. Enter takes the best match. */
export function SearchSelect<T>({ source, onLeave, ...picker }: SearchSelectProps<T>) {
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const found = useOptions(source, search, open)
  function show(next: boolean) {
    setOpen(next)
    if (next) return
    setSearch('')
    onLeave?.()
  }
  return <Picker {...picker} found={found} open={open} onOpen={show} search={search} onSearch={setSearch} />
}
