import { Autocomplete as Base } from '@base-ui/react/autocomplete'
import { useState } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import { OptionList } from './Combobox.tsx'
import { classNames } from './class-names.ts'
import { useOpenPopup } from './open-popups.ts'
import { useOptions, type Option, type OptionSource } from './options.ts'
import fieldStyles from './Field.module.css'
import styles from './Select.module.css'

export type SuggestFieldProps<T> = FieldProps & {
  source: OptionSource<T>
  value: string
  onChange: (value: string) => void
  onBlur: () => void
  placeholder: string
  disabled?: boolean
}

export function SuggestField<T>(props: SuggestFieldProps<T>) {
  const { source, value, onChange, onBlur, placeholder, disabled = false, ...field } = props
  const [open, setOpen] = useState(false)
  useOpenPopup(open, () => setOpen(false))
  // After a choice all suggestions are shown again.
  const [search, setSearch] = useState('')
  const { options } = useOptions(source, search, open)
  return (
    <Field {...field}>
      {ids => (
        <Base.Root<Option<T>>
          items={options}
          filter={null}
          mode="none"
          value={value}
          disabled={disabled}
          openOnInputClick
          // An open popup hides the rest of the dialog from assistive technology, so it must not be empty.
          open={open && options.length > 0}
          onOpenChange={setOpen}
          itemToStringValue={option => option.value}
          onValueChange={(text, { reason }) => {
            // Escape closes the suggestions or the dialog and does not clear the text.
            if (reason === 'escape-key') return
            setSearch(reason === 'item-press' ? '' : text)
            onChange(text)
          }}
        >
          <Base.Input
            id={ids.id}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={ids.invalid || undefined}
            aria-describedby={ids.describedBy}
            required={field.required}
            className={classNames(fieldStyles['input'], value !== '' && fieldStyles['mono'])}
            onBlur={() => {
              setOpen(false)
              onBlur()
            }}
          />
          <Base.Portal>
            <Base.Positioner className={styles['positioner']} sideOffset={4}>
              <Base.Popup className={styles['popup']}>
                <OptionList label={field.label} />
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </Field>
  )
}
