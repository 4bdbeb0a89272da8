import { isPlaceholder, secretPlaceholder, type Configuration } from '@cadmus/model/configuration'
import { propertyProblems } from '@cadmus/model/rules/configuration'
import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../../ui/Button.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import styles from '../Dialogs.module.css'

type Property = Configuration['packageProperties']['customProperties'][number]

export type BuildPropertiesProps = {
  configuration: Configuration
  rows: readonly Property[]
  onChange: (rows: readonly Property[]) => void
}

const blank: Property = { name: '', value: '', secret: false }

/** Name-value pairs, with at least one row. */
export function BuildProperties({ configuration, rows, onChange }: BuildPropertiesProps) {
  const shown = rows.length === 0 ? [blank] : rows
  const problems = propertyProblems(configuration)
  return (
    <>
      {shown.map((row, index) => (
        // Rows have no stable id: use the index.
        <div key={index} className={styles['property']}>
          <TextField
            label={`Name of property ${index + 1}`}
            hideLabel
            mono
            placeholder="Name"
            value={row.name}
            error={fieldProblem(problems, index, 'name')}
            onChange={name => onChange(shown.with(index, { ...row, name }))}
          />
          <TextField
            label={`Value of property ${index + 1}`}
            hideLabel
            type={row.secret ? 'password' : 'text'}
            value={isPlaceholder(row.value) ? '' : row.value}
            placeholder={isPlaceholder(row.value) ? secretPlaceholder : 'Value'}
            error={fieldProblem(problems, index, 'value')}
            onChange={value => onChange(shown.with(index, { ...row, value }))}
          />
          <IconButton
            label={`Delete property ${index + 1}`}
            icon={Trash2}
            danger
            disabled={index === 0 ? 'The first row cannot be deleted.' : false}
            onClick={() => onChange(shown.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button icon={Plus} className={styles['add']} onClick={() => onChange([...shown, blank])}>
        Add Property
      </Button>
    </>
  )
}

function fieldProblem(problems: ReturnType<typeof propertyProblems>, index: number, field: 'name' | 'value') {
  const problem = problems.get(index)
  return problem?.field === field ? problem.message : null
}
