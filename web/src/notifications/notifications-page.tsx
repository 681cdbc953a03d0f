import { ChatsSection } from './chats-section.js'
import { CheckSection } from './check-section.js'
import { DeviceSection } from './device-section.js'
import { WhatSection } from './what-section.js'
import './notifications-page.css'

export function NotificationsPage() {
  return (
    <>
      <DeviceSection />
      <WhatSection />
      <ChatsSection />
      <CheckSection />
    </>
  )
}
