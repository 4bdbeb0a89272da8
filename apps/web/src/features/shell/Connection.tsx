import { firstTexts } from '@cadmus/model/messages/first-load'
import { useStore } from 'zustand'
import { connectionStore } from '../../api/connection.ts'
import styles from './Workspace.module.css'

/** Notice while the server is unreachable. */
export function Connection() {
  const away = useStore(connectionStore, state => state.away)
  return <output className={away ? styles['away'] : undefined}>{away && firstTexts.failed.away}</output>
}
