import { bestMatches } from '@cadmus/model/match-rank'
import { useMemo, useState } from 'react'
import type { FieldProps } from './Field.tsx'
import { Picker } from './Picker.tsx'
import type { Option, Options } from './options.ts'

export type FilterSelectProps<V extends string> = FieldProps & {
  options: readonly { value: V; label: string }[]
  value: V | null
  onChange: (value: V) => void
  placeholder?: string
  disabled?: boolean
  inline?: boolean
  mono?: boolean | undefined
  /** The list is loading: Enter selects the best match once it arrives. */
  reading?: boolean
}

/** Selects one of a fully loaded list, filtered by typing. Enter selects the best match. */
export function FilterSelect<V extends string>({
  options,
  value,
  onChange,
  reading = false,
  ...field
}: FilterSelectProps<V>) {
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const all = useMemo(() => options.map((option): Option<V> => ({ ...option, data: option.value })), [options])
  const results = useMemo(() => matchingOptions(all, search, reading), [all, search, reading])
  function show(next: boolean) {
    setOpen(next)
    if (!next) setSearch('')
  }
  return (
    <Picker<V>
      placeholder=""
      {...field}
      results={results}
      open={open}
      onOpen={show}
      search={search}
      onSearch={setSearch}
      value={all.find(option => option.value === value) ?? null}
      onChange={({ data }) => onChange(data)}
    />
  )
}

/** Options that contain the text: exact matches first, then prefixes. */
function matchingOptions<V>(all: readonly Option<V>[], search: string, reading: boolean): Options<V> {
  return {
    options: bestMatches(all, ({ label }) => [label], search),
    loading: reading,
    pending: reading,
    error: null,
    loadMore: () => undefined,
    retry: () => undefined,
  }
}
