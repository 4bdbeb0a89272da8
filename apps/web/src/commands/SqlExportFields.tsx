import { type DatabaseType, databaseTypes, databaseTypeTable } from '@cadmus/model/database-types'
import {
  defaultOf,
  hasOption,
  hasValue,
  type SqlExport,
  type SqlExportName,
  sqlExportNames,
  sqlExportOption,
  valueFault,
  valueLabel,
} from '@cadmus/model/sql-export'
import type { ReactNode } from 'react'
import { Select } from '../ui/Select.tsx'
import styles from './SqlExportFields.module.css'

export type NameFieldProps = {
  label: string
  hint: string
  value: string
  /** What is wrong with a text. */
  fault: (text: string) => string | null
  onChange: (value: string) => void
}

type SqlExportFieldsProps = {
  options: Partial<SqlExport>
  /** Leaves out options that its scripts do not have. */
  database?: DatabaseType
  disabled?: boolean
  /** Shows a value that cannot be changed. */
  shown?: ((label: string, value: string) => ReactNode) | undefined
  nameField: (props: NameFieldProps) => ReactNode
  onChange: (options: Partial<SqlExport>) => void
}

/** A field for each option of exported SQL scripts. */
export function SqlExportFields({ options, database, ...rest }: SqlExportFieldsProps) {
  const names = sqlExportNames.filter(name => database === undefined || hasOption(name, database))
  return (
    <div className={styles['fields']}>
      {names.map(name => (
        <div key={name}>
          <OptionField {...rest} name={name} value={options[name] ?? defaultOf(name)} database={database} />
        </div>
      ))}
    </div>
  )
}

type OptionFieldProps = Omit<SqlExportFieldsProps, 'options' | 'database'> & {
  name: SqlExportName
  value: string
  database: DatabaseType | undefined
}

function OptionField({ name, value, database, disabled = false, shown, nameField, onChange }: OptionFieldProps) {
  const option = sqlExportOption(name)
  const { label } = option
  if (shown) return shown(label, valueLabel(name, value))
  const hint = database === undefined ? `${option.hint}${databasesText(name)}` : option.hint
  const change = (next: string) => onChange({ [name]: next })
  if (option.kind !== 'choice') {
    // An empty field stands for the default.
    const none = defaultOf(name)
    const valueOf = (text: string) => (text.trim() === '' ? none : text.trim())
    return nameField({
      label,
      hint,
      value: value === none ? '' : value,
      fault: text => valueFault(name, valueOf(text)) ?? null,
      onChange: text => change(valueOf(text)),
    })
  }
  return (
    <Select
      label={label}
      hint={hint}
      options={option.values
        .filter(one => database === undefined || hasValue(name, one, database))
        .map(one => ({ value: one, label: valueLabel(name, one) }))}
      value={value}
      disabled={disabled}
      onChange={change}
    />
  )
}

function databasesText(name: SqlExportName): string {
  const having = databaseTypes.filter(type => hasOption(name, type)).map(type => databaseTypeTable[type].label)
  return having.length === databaseTypes.length ? '' : ` Only for ${having.join(', ')}.`
}
