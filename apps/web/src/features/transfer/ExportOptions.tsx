import { adviceFor, type DatabaseType, databaseTypeTable } from '@cadmus/model/database-types'
import {
  exportOptions,
  type ExportFormat,
  type ExportOptionName,
  type ExportOptions,
} from '@cadmus/model/export-formats'
import { Alert } from '../../ui/Alert.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Select } from '../../ui/Select.tsx'

type ExportOptionsProps = {
  format: ExportFormat
  options: ExportOptions
  databaseTypes: readonly DatabaseType[]
  disabled: boolean
  onChange: (options: Partial<ExportOptions>) => void
}

export function ExportOptionFields({ format, options, databaseTypes, disabled, onChange }: ExportOptionsProps) {
  const usesDatabase = format.options.includes('databaseType')
  const { label } = databaseTypeTable[options.databaseType]
  const advice = adviceFor(options.databaseType)
  return (
    <>
      {format.options.map(name => (
        <OptionField key={name} {...{ name, options, databaseTypes, disabled, onChange }} />
      ))}
      {usesDatabase && advice && (
        <Alert kind="info">
          Recommended for {label}: add <code>{advice}</code> to the connection URL.
        </Alert>
      )}
    </>
  )
}

type OptionFieldProps = Omit<ExportOptionsProps, 'format'> & { name: ExportOptionName }

function OptionField({ name, options, databaseTypes, disabled, onChange }: OptionFieldProps) {
  const option = exportOptions[name]
  if (option.kind === 'database') {
    return (
      <Select
        label={option.label}
        options={databaseTypes.map(type => ({ value: type, label: databaseTypeTable[type].label }))}
        value={options.databaseType}
        disabled={disabled}
        onChange={databaseType => onChange({ databaseType })}
      />
    )
  }
  return (
    <Checkbox
      label={option.label}
      hint={option.hint}
      checked={options[name] === true}
      disabled={disabled}
      onChange={value => onChange({ [name]: value })}
    />
  )
}
