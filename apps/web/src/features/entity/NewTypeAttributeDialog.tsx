import { defaults } from '@cadmus/model/limits'
import { takenNames } from '@cadmus/model/rules/names'
import { typeAttributeName } from '@cadmus/model/rules/type-attribute'
import type { DataType } from '@cadmus/model/type-attribute'
import { useState } from 'react'
import { dataTypeOptions, formatHint } from '../../commands/entity-words.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { FilterSelect } from '../../ui/Combobox.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { reasons } from '../../ui/reasons.ts'

export type NewTypeAttributeDialogProps = {
  /** Names already used by type attributes and foreign keys. */
  attributeNames: readonly string[]
  foreignKeyNames: readonly string[]
  onClose: () => void
  onFinish: (attribute: { name: string; dataType: DataType }) => void
}

/** Adds the row to the draft; Save stores it. */
export function NewTypeAttributeDialog(props: NewTypeAttributeDialogProps) {
  const [name, setName] = useState(() => freeName(props.attributeNames))
  const [offered] = useState(name)
  const [dataType, setDataType] = useState<DataType>('string')
  const taken = takenNames(props.attributeNames)
  const problem = typeAttributeName(name, { taken, foreignKeys: takenNames(props.foreignKeyNames) })

  function finish() {
    props.onFinish({ name: name.trim(), dataType })
    props.onClose()
  }

  return (
    <FormDialog
      title="New Type Attribute"
      onClose={props.onClose}
      entered={name !== offered || dataType !== 'string'}
      width={400}
      submitLabel="Finish"
      blocked={reasons.field('Name', problem)}
      onSubmit={finish}
    >
      <TextField
        label="Name"
        required
        mono
        value={name}
        error={problem ?? null}
        onFocus={event => event.target.select()}
        onChange={setName}
      />
      <FilterSelect
        label="Data Type"
        mono
        hint={formatHint}
        options={dataTypeOptions}
        value={dataType}
        onChange={setDataType}
      />
    </FormDialog>
  )
}

/** The default name, numbered if it is in use. */
function freeName(names: readonly string[]): string {
  const taken = takenNames(names)
  if (!taken.has(defaults.typeAttributeName)) return defaults.typeAttributeName
  let number = 2
  while (taken.has(`${defaults.typeAttributeName}_${number}`)) number++
  return `${defaults.typeAttributeName}_${number}`
}
