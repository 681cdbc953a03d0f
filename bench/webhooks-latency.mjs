export const latency = async () => {}
