import type { DatabaseType } from '@cadmus/model/database-types'
import { exportOptions } from '@cadmus/model/export-formats'
import {
  changedOptions,
  defaultOf,
  proofText,
  type SqlExport,
  sqlExportOption,
  valueLabel,
} from '@cadmus/model/sql-export'
import { SqlExportFields } from '../../commands/SqlExportFields.tsx'
import { TextField } from '../../ui/TextField.tsx'
import styles from './Transfer.module.css'

type ScriptOptionsProps = {
  database: DatabaseType
  options: Partial<SqlExport>
  disabled: boolean
  onChange: (options: Partial<SqlExport>) => void
}

/** The options of a script, closed at first, with what differs from the defaults and what tests prove about such scripts. */
export function ScriptOptions({ database, options, disabled, onChange }: ScriptOptionsProps) {
  const changed = changedOptions(options, database).map(
    name => `${sqlExportOption(name).label}: ${valueLabel(name, options[name] ?? defaultOf(name))}`,
  )
  return (
    <>
      <details className={styles['options']}>
        <summary>
          {exportOptions.sqlExport.label}{' '}
          <span className={styles['changed']}>{changed.length === 0 ? 'All as usual' : changed.join(', ')}</span>
        </summary>
        <SqlExportFields
          options={options}
          database={database}
          disabled={disabled}
          nameField={({ fault, ...field }) => (
            <TextField {...field} mono disabled={disabled} error={fault(field.value)} />
          )}
          onChange={onChange}
        />
      </details>
      <p className={styles['proof']}>{proofText(database, options)}</p>
    </>
  )
}
