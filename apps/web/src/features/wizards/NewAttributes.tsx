import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import type { DataType } from '@cadmus/model/type-attribute'
import { ListPlus, Plus } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { dataTypeOptions, formatHint } from '../../commands/entity-words.ts'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterSelect } from '../../ui/Combobox.tsx'
import { TextField } from '../../ui/TextField.tsx'
import {
  attributesProblem,
  attributeNameProblem,
  type EntityWizard,
  type EntityWizardEvent,
} from './entity-wizard-flow.ts'
import styles from './Wizards.module.css'

const columns = [
  { id: 'name', header: 'Name', cell: (row: Row) => row.name },
  { id: 'dataType', header: 'Type', cell: (row: Row) => row.dataType, mono: true, width: '140px' },
]
type Row = { name: string; dataType: DataType }

/** Step 4: name and data type of each type attribute. */
export function NewAttributes({
  state,
  dispatch,
}: {
  state: EntityWizard
  dispatch: (event: EntityWizardEvent) => void
}) {
  const { name, dataType } = state.typed
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())

  function add(event: FormEvent) {
    event.preventDefault()
    dispatch({ type: 'addAttribute', attribute: { name: name.trim(), dataType } })
  }

  function remove() {
    dispatch({ type: 'removeAttributes', names: selected })
    setSelected(new Set())
  }

  return (
    <div className={styles['fields']}>
      <form className={styles['add']} data-columns="3" onSubmit={add}>
        <TextField
          label="Name"
          mono
          value={name}
          error={attributesProblem(state) ?? null}
          onChange={text => dispatch({ type: 'typed', attribute: { name: text } })}
        />
        <FilterSelect
          label="Data Type"
          mono
          options={dataTypeOptions}
          value={dataType}
          onChange={type => dispatch({ type: 'typed', attribute: { dataType: type } })}
        />
        <Button type="submit" size="dialog" icon={Plus} disabled={attributeNameProblem(state, name)}>
          Add
        </Button>
      </form>
      <p className={styles['hint']}>{formatHint}</p>
      <DataTable
        label="Type attributes"
        columns={columns}
        rows={state.attributes}
        rowId={row => row.name}
        rowName={row => row.name}
        selected={selected}
        onSelect={setSelected}
        onDelete={remove}
        pageSize={limits.wizardAttributeListPageSize}
        empty={<EmptyState icon={ListPlus} text={messages.empty.wizardAttributes} />}
      />
    </div>
  )
}
