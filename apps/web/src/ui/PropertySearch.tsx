import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { IconButton } from './IconButton.tsx'
import { SearchSelect } from './Combobox.tsx'
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

/**
 * A search picker in the properties panel. Clearing a required value shows a message and changes nothing until
 * another value is selected.
 */
export function PropertySearch({ required, onApply, value, ...field }: PropertySearchProps) {
  // The cleared value; when another value arrives from elsewhere, that is shown.
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
            // The clear button disappears, so the picker receives the focus.
            pair.current?.querySelector<HTMLElement>('[role=combobox]')?.focus()
          }}
        />
      )}
    </div>
  )
}
