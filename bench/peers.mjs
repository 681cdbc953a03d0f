export async function openPeers() {
  return []
}
