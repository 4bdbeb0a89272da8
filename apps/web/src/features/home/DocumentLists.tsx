import { visibleText } from '@cadmus/model/display'
import { homeTexts } from '@cadmus/model/messages/home'
import { folderOf } from '@cadmus/model/paths'
import { StarOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { DocumentLink } from '../../commands/DocumentLink.tsx'
import { FolderPath } from '../../ui/FolderPath.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { minuteOf } from '../../ui/timestamp.ts'
import { documentKind } from '../../workbench/document-kinds.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { toggleFavourite } from '../../workbench/favourites.ts'
import type { ListedDocument, ListedKind } from '../../workbench/own-documents.ts'
import { useWorkbench } from '../../workbench/page-workbench.ts'
import styles from './Home.module.css'
import { HomeSection } from './HomeSection.tsx'

const kindNames: Record<ListedKind, string> = { entity: 'Entity', manifest: 'Manifest', configuration: 'Configuration' }

type DocumentsProps = { documents: readonly ListedDocument[] }

export function RecentDocuments({ documents }: DocumentsProps) {
  const { title, empty } = homeTexts.recent
  return (
    <HomeSection title={title} empty={documents.length === 0 && empty}>
      <ul className={styles['list']}>
        {documents.map(document => (
          <DocumentRow key={tabIdOf(document)} document={document}>
            <time className={styles['when']} dateTime={new Date(document.at).toISOString()}>
              {minuteOf(new Date(document.at).toISOString())}
            </time>
          </DocumentRow>
        ))}
      </ul>
    </HomeSection>
  )
}

export function FavouriteDocuments({ documents }: DocumentsProps) {
  const { title, empty } = homeTexts.favourites
  return (
    <HomeSection title={title} empty={documents.length === 0 && empty}>
      <ul className={styles['list']}>
        {documents.map(document => (
          <DocumentRow key={tabIdOf(document)} document={document}>
            <IconButton
              label={`Remove ${document.name} from Favourites`}
              icon={StarOff}
              onClick={() => toggleFavourite(document)}
            />
          </DocumentRow>
        ))}
      </ul>
    </HomeSection>
  )
}

type DocumentRowProps = { document: ListedDocument; children: ReactNode }

function DocumentRow({ document, children }: DocumentRowProps) {
  const isUnsaved = useWorkbench(state => state.drafts.has(tabIdOf(document)))
  const Symbol = documentKind(document.kind)?.icon
  const { kind, name, path } = document
  return (
    <li className={styles['row']}>
      {Symbol && <Symbol size={14} strokeWidth={1.75} aria-hidden />}
      <span className={styles['name']}>
        <DocumentLink document={document}>{name}</DocumentLink>
        <span className="visually-hidden">, {kindNames[kind]}</span>
        {isUnsaved && (
          <>
            <span aria-hidden title={`${visibleText(name)} has unsaved changes.`} className={styles['unsaved']} />
            <span className="visually-hidden">, unsaved changes</span>
          </>
        )}
      </span>
      {path !== undefined && <FolderPath folder={folderOf(path)} className={styles['folder']} />}
      {children}
    </li>
  )
}
