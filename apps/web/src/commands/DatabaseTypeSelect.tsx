import { type DatabaseType, databaseTypes, databaseTypeTable } from '@cadmus/model/database-types'
import { messages } from '@cadmus/model/messages'
import { licensedDatabase } from '@cadmus/model/rules/organisation'
import { Select, type SelectProps } from '../ui/Select.tsx'

type DatabaseTypeSelectProps<T extends DatabaseType> = Omit<SelectProps<T>, 'options' | 'error'> & {
  /** The types of the licence, the default first. */
  licensed: readonly T[]
}

/** Offers the types of the licence and explains missing ones. A current type that is not included is listed with the reason. */
export function DatabaseTypeSelect<T extends DatabaseType>(props: DatabaseTypeSelectProps<T>) {
  const { licensed, value, hint, ...rest } = props
  const verdict = value === null ? null : licensedDatabase(value, { databaseTypes: licensed })
  const refusal = verdict !== null && 'refusal' in verdict ? verdict.refusal : null
  const labels = licensed.map(type => databaseTypeTable[type].label)
  const options = licensed.map((type, at) => ({ value: type, label: labels[at] ?? type }))
  return (
    <Select<T>
      {...rest}
      value={value}
      options={
        value === null || refusal === null
          ? options
          : [...options, { value, label: databaseTypeTable[value].label, disabled: true }]
      }
      hint={hint ?? (licensed.length < databaseTypes.length && messages.licensedTypes(labels))}
      error={refusal}
    />
  )
}
