export const kills = async () => {}
