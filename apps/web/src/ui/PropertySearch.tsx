import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { IconButton } from './IconButton.tsx'
import { SearchSelect } from './SearchSelect.tsx'
import type { Option, OptionSource } from './options.ts'
import styles from './PropertyTable.module.css'

type PropertySearchProps = {
  label: string
  value: Option | null
  source: OptionSource<unknown>
  placeholder: string
  onApply: (value: Option) => void
  required?: string
}

/** A searched value of the panel. A required one can be emptied: then it says so, and nothing is changed until another is picked. */
export function PropertySearch({ required, onApply, value, ...field }: PropertySearchProps) {
  // What was emptied: another value, which came from elsewhere, is shown.
  const [emptied, setEmptied] = useState<string | null>(null)
  const isEmpty = value !== null && emptied === value.value
  const canClear = required !== undefined && value !== null && !isEmpty
  const clear = canClear ? () => setEmptied(value.value) : undefined
  const pair = useRef<HTMLDivElement>(null)
  return (
    <div ref={pair} className={styles['pair']}>
      <SearchSelect
        {...field}
        hideLabel
        inline
        hint={null}
        value={isEmpty ? null : value}
        error={isEmpty ? required : null}
        onClear={clear}
        onChange={option => {
          setEmptied(null)
          if (option.value !== value?.value) onApply(option)
        }}
      />
      {clear && (
        <IconButton
          label={`Clear ${field.label}`}
          icon={X}
          onClick={() => {
            clear()
            // The button goes: the picker is what comes next.
            pair.current?.querySelector<HTMLElement>('[role=combobox]')?.focus()
          }}
        />
      )}
    </div>
  )
}
