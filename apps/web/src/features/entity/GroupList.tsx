import { type Check, checkLine } from '@cadmus/model/checks'
import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import type { Group } from '@cadmus/model/group'
import { groupLine } from '@cadmus/model/groups'
import { checkTexts } from '@cadmus/model/messages/checks'
import { groupTexts as texts } from '@cadmus/model/messages/groups'
import { useQuery } from '@tanstack/react-query'
import { Lock, Plus } from 'lucide-react'
import { entityQuery } from '../../api/entities.ts'
import { readFailure } from '../../api/read-failure.ts'
import { DocumentLink } from '../../commands/DocumentLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { UnreadAlert } from '../../ui/UnreadAlert.tsx'
import type { EntityView } from './entity-view.ts'
import { editCheck, newCheck } from './check-commands.ts'
import { editGroup, newGroup } from './group-commands.ts'
import styles from './Group.module.css'

/** What is listed: the groups or the checks of an entity. */
type Kind<T> = {
  of(content: Pick<EntityContent, 'groups' | 'checks'>): readonly T[]
  lineOf(item: T): string
  none: string
  add: string
  inheritedUnread: string
  create(view: EntityView): void
  edit(view: EntityView, item: T): void
}

const groupKind: Kind<Group> = {
  of: ({ groups }) => groups,
  lineOf: groupLine,
  none: texts.none,
  add: texts.add,
  inheritedUnread: texts.inheritedUnread,
  create: newGroup,
  edit: editGroup,
}

const checkKind: Kind<Check> = {
  of: ({ checks }) => checks,
  lineOf: checkLine,
  none: checkTexts.none,
  add: checkTexts.add,
  inheritedUnread: checkTexts.inheritedUnread,
  create: newCheck,
  edit: editCheck,
}

/** The groups of an entity in its properties: those that it inherits, which are only shown, then its own. */
export function GroupList({ view }: { view: EntityView }) {
  return <List view={view} kind={groupKind} />
}

/** The checks of an entity, in the same way. */
export function CheckList({ view }: { view: EntityView }) {
  return <List view={view} kind={checkKind} />
}

function List<T extends { uid: string }>({ view, kind }: { view: EntityView; kind: Kind<T> }) {
  const { content } = view.draft
  const items = kind.of(content)
  return (
    <div className={styles['groups']}>
      <Inherited parent={content.extendsEntity} below={[view.entity.id]} isEmpty={items.length === 0} kind={kind} />
      {items.map(item => {
        const label = kind.lineOf(item)
        return view.locked ? (
          <span key={item.uid} className={styles['none']}>
            {label}
          </span>
        ) : (
          <Button key={item.uid} variant="quiet" onClick={() => kind.edit(view, item)}>
            {label}
          </Button>
        )
      })}
      {!view.locked && (
        <Button variant="quiet" icon={Plus} onClick={() => kind.create(view)}>
          {kind.add}
        </Button>
      )}
    </div>
  )
}

type InheritedProps<T> = {
  kind: Kind<T>
  parent: EntityReference | null
  /** Ids of the entities that extend it, which must not come again. */
  below: readonly number[]
  /** Whether these have none. */
  isEmpty: boolean
}

/** Those of an ancestor, after those of its own ancestors. */
function Inherited<T extends { uid: string }>({ parent, below, isEmpty, kind }: InheritedProps<T>) {
  const isEnd = parent === null || parent.id < 0 || below.includes(parent.id)
  const query = useQuery({ ...entityQuery(parent?.id ?? 0), enabled: !isEnd })
  if (isEnd) return isEmpty ? <span className={styles['none']}>{kind.none}</span> : null
  const failure = readFailure(query, kind.inheritedUnread)
  if (failure) return <UnreadAlert failure={failure} />
  if (!query.data) return null
  const { id, name, path, extendsEntity } = query.data.entity
  const items = kind.of(query.data.entity)
  return (
    <>
      <Inherited parent={extendsEntity} below={[...below, id]} isEmpty={isEmpty && items.length === 0} kind={kind} />
      {items.length > 0 && (
        <div className={styles['none']}>
          <ul className={styles['inherited']} aria-label={texts.inheritedFrom(name)}>
            {items.map(item => (
              <li key={item.uid}>
                <Lock size={14} aria-hidden /> {kind.lineOf(item)}
              </li>
            ))}
          </ul>
          <DocumentLink document={{ kind: 'entity', id, name, path }}>{texts.inheritedFrom(name)}</DocumentLink>
        </div>
      )}
    </>
  )
}
