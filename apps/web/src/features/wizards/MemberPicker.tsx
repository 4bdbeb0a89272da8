import type { EntityListItem } from '@cadmus/model/contract/lists'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { Plus, Table2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { entityOption, entitySource } from '../../api/entities.ts'
import { EntityFilters, useEntityFilters } from '../../commands/EntityFilters.tsx'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchMultiSelect } from '../../ui/Combobox.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { TextField } from '../../ui/TextField.tsx'
import {
  addCustom,
  addPicked,
  canAddExisting,
  customProblem,
  hasMembers,
  memberRows,
  pendingProblem,
  removeMembers,
  type MemberList,
} from './member-list.ts'
import { reasons } from '../../ui/reasons.ts'
import styles from './Wizards.module.css'

type PickerProps = {
  list: MemberList
  onChange: (list: MemberList) => void
  /** Reports an empty list once the picker was left. */
  required?: boolean
}
type Row = ReturnType<typeof memberRows>[number]
type Filters = ReturnType<typeof useEntityFilters>

const columns = [
  { id: 'name', header: 'Name', cell: (row: Row) => row.name, width: '40%' },
  { id: 'path', header: 'Path', cell: (row: Row) => row.path || 'New entity', mono: true },
]

/** Collects entities for a manifest: existing ones by search and filters, new ones by name. */
export function MemberPicker({ list, onChange, required = false }: PickerProps) {
  const [tab, setTab] = useState<'existing' | 'custom'>('existing')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const filters = useEntityFilters()

  function remove() {
    onChange(removeMembers(list, selected))
    setSelected(new Set())
  }

  return (
    <div className={styles['picker']}>
      <Tabs
        label="Kind of entity"
        value={tab}
        onChange={setTab}
        items={[
          {
            value: 'existing',
            label: 'Choose Existing Entity',
            panel: <ExistingEntity list={list} onChange={onChange} required={required} filters={filters} />,
          },
          { value: 'custom', label: 'Create Custom Entity', panel: <CustomEntity list={list} onChange={onChange} /> },
        ]}
      />
      <DataTable
        label="Entities"
        columns={columns}
        rows={memberRows(list)}
        rowId={row => row.key}
        rowName={row => row.name}
        selected={selected}
        onSelect={setSelected}
        onDelete={remove}
        pageSize={limits.wizardTablePageSize}
        empty={<EmptyState icon={Table2} text={messages.empty.entities} />}
      />
    </div>
  )
}

function ExistingEntity({ list, onChange, required, filters }: PickerProps & { filters: Filters }) {
  const [isLeft, setLeft] = useState(false)
  const addable = list.picked.filter(entity => canAddExisting(list, entity))

  function add(event: FormEvent) {
    event.preventDefault()
    onChange(addPicked(list))
  }

  return (
    <div className={styles['panel']}>
      <form className={styles['add']} onSubmit={add}>
        <SearchMultiSelect<EntityListItem>
          label="Entity"
          placeholder="Select Entity"
          several={count => `${count} entities`}
          source={entitySource(filters.query)}
          value={list.picked.map(entityOption)}
          error={required && isLeft && !hasMembers(list) ? messages.fieldRequired : null}
          onLeave={() => setLeft(true)}
          onChange={chosen => onChange({ ...list, picked: chosen.map(({ data }) => data) })}
        />
        <Button
          type="submit"
          size="dialog"
          icon={Plus}
          disabled={
            addable.length === 0 && (list.picked.length > 0 ? messages.alreadyInList : reasons.select('an entity'))
          }
        >
          Add
        </Button>
      </form>
      <EntityFilters {...filters} />
    </div>
  )
}

function CustomEntity({ list, onChange }: PickerProps) {
  const { typed } = list

  function add(event: FormEvent) {
    event.preventDefault()
    onChange(addCustom(list, typed))
  }

  return (
    <div className={styles['panel']}>
      <form className={styles['add']} onSubmit={add}>
        <TextField
          label="Name"
          mono
          value={typed}
          error={pendingProblem(list) ?? null}
          onChange={text => onChange({ ...list, typed: text })}
        />
        <Button type="submit" size="dialog" icon={Plus} disabled={customProblem(list, typed)}>
          Add
        </Button>
      </form>
    </div>
  )
}
