// Network modules of Moddable (examples/io/tcp/mqttclient, modules/io/socket), typed in src/sdk.

declare module "embedded:network/mqtt/client" {
	const MqttClient: unknown;
	export default MqttClient;
}

declare module "embedded:io/socket/listener" {
	const Listener: unknown;
	export default Listener;
}
