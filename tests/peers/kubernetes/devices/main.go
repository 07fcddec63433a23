// SPDX-License-Identifier: GPL-3.0-or-later

// devices is a device plugin: it offers a node GPUs that do not exist. A container that asks for some finds their numbers in
// CUDA_VISIBLE_DEVICES, as from NVIDIA's plugin.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	plugins "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

const prefix = "GPU-fake-"

type server struct {
	plugins.UnimplementedDevicePluginServer
	devices []*plugins.Device
}

func newServer(count int) *server {
	made := &server{}
	for i := range count {
		made.devices = append(made.devices, &plugins.Device{ID: fmt.Sprint(prefix, i), Health: plugins.Healthy})
	}
	return made
}

func (s *server) GetDevicePluginOptions(context.Context, *plugins.Empty) (*plugins.DevicePluginOptions, error) {
	return &plugins.DevicePluginOptions{}, nil
}

// The devices never change: they are said once, and the stream stays open for as long as the kubelet wants it.
func (s *server) ListAndWatch(_ *plugins.Empty, stream plugins.DevicePlugin_ListAndWatchServer) error {
	if err := stream.Send(&plugins.ListAndWatchResponse{Devices: s.devices}); err != nil {
		return err
	}
	<-stream.Context().Done()
	return nil
}

func (s *server) Allocate(_ context.Context, wanted *plugins.AllocateRequest) (*plugins.AllocateResponse, error) {
	answer := &plugins.AllocateResponse{}
	for _, container := range wanted.ContainerRequests {
		ids := strings.Join(container.DevicesIDs, ",")
		answer.ContainerResponses = append(answer.ContainerResponses, &plugins.ContainerAllocateResponse{Envs: map[string]string{
			"CUDA_VISIBLE_DEVICES":   strings.ReplaceAll(ids, prefix, ""),
			"NVIDIA_VISIBLE_DEVICES": ids,
		}})
	}
	return answer, nil
}

func register(kubelet, endpoint, resource string) error {
	connection, err := grpc.NewClient("unix://"+kubelet, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err = plugins.NewRegistrationClient(connection).Register(ctx,
		&plugins.RegisterRequest{Version: plugins.Version, Endpoint: endpoint, ResourceName: resource})
	return err
}

// serve offers the devices until the kubelet is started anew, which forgets its plugins, and removes their sockets.
func serve(folder, resource string, count int) error {
	kubelet := filepath.Join(folder, "kubelet.sock")
	known, err := os.Stat(kubelet)
	if err != nil {
		return err
	}
	const endpoint = "trialdeck.sock"
	own := filepath.Join(folder, endpoint)
	os.Remove(own)
	listener, err := net.Listen("unix", own)
	if err != nil {
		return err
	}
	program := grpc.NewServer()
	plugins.RegisterDevicePluginServer(program, newServer(count))
	go program.Serve(listener)
	defer program.Stop()
	if err := register(kubelet, endpoint, resource); err != nil {
		return err
	}
	log.Printf("offering %d of %s", count, resource)
	for {
		time.Sleep(250 * time.Millisecond)
		if now, err := os.Stat(kubelet); err != nil || !os.SameFile(known, now) {
			return errors.New("the kubelet was started anew")
		}
		if _, err := os.Stat(own); err != nil {
			return err
		}
	}
}

func main() {
	count := flag.Int("count", 2, "how many devices there are")
	resource := flag.String("resource", "nvidia.com/gpu", "what they are called")
	folder := flag.String("folder", "/var/lib/kubelet/device-plugins", "where the kubelet's socket is")
	flag.Parse()
	for {
		log.Print(serve(*folder, *resource, *count))
		time.Sleep(250 * time.Millisecond)
	}
}
